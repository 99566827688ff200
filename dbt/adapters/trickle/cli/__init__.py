"""The command line of dbt-trickle: explain, verify, status, schedules and SQL."""

from dbt.adapters.trickle.cli.main import main

__all__ = ["main"]
