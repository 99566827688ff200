"""dbt-trickle sql: statements by hand, on the warehouse of a dbt project."""

from trickle.cli.sql.command import add_parser

__all__ = ["add_parser"]
