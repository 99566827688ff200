"""The storage of a stream table and the view in front of it (the facade): ownership, location, properties."""
