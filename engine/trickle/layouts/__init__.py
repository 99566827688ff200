"""How the rows of a view are stored, filled, maintained and checked: one layout a file."""
