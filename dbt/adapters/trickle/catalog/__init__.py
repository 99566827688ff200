"""What a name of the catalog is: a table, a view, a stream table, a function; and the version it is read at."""
