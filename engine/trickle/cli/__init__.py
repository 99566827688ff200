"""The command line: what would be done with a query, and whether it holds. The one part of the package that reads files."""

from trickle.cli.main import main

__all__ = ["main"]
