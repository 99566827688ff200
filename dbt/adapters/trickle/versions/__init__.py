"""At which versions the sources of a model are read."""
