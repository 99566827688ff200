"""Mutation testing of the rules: `python -m tests.mutants`, or `make mutants`."""
