"""Aggregates with states: calls that are kept up to date from weighted changes alone."""
