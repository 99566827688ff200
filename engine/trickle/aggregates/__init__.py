"""How an aggregate call is kept up to date from weighted changes alone, where it can be."""
