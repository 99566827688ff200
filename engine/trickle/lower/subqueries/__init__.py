"""Subqueries in expressions become joins."""
