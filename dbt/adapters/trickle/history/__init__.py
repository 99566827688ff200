"""The history of a Delta table."""
