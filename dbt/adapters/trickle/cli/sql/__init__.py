"""dbt-trickle sql: statements by hand, on the warehouse of a dbt project."""

from dbt.adapters.trickle.cli.sql.command import add_parser

__all__ = ["add_parser"]
