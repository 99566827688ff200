"""Which stream tables are due, the record of their last refresh, and suspensions."""
