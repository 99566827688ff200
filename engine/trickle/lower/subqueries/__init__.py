"""Subqueries in expressions, as joins."""
