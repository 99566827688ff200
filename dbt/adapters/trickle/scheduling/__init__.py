"""Which stream tables are due, and what is remembered of the last refresh."""
