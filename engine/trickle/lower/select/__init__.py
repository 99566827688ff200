"""The clauses of a SELECT, and the operations between SELECTs."""
