"""The storage of a stream table and the view in front of it: whose they are, and how they are laid out."""
