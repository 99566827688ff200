"""dbt-trickle verify: run queries and case files, change their tables, and compare every refresh with recomputing."""

from dbt.adapters.trickle.cli.verify.command import add_parser

__all__ = ["add_parser"]
