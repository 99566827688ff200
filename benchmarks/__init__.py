"""Benchmarks of refreshes against recomputing and a hand-written MERGE. Not part of `make test`."""
