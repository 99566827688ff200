"""The command line: what would be done with a query, and whether it holds. Only this part reads files."""

from dbt.adapters.trickle.cli.main import main

__all__ = ["main"]
