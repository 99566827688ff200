"""dbt-trickle due: which stream tables the next run would refresh, and why. Reads Delta logs; starts no Spark."""

from __future__ import annotations

import argparse
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from dbt.adapters.trickle.cli.project import (
    add_format_option,
    add_project_options,
    current_project,
    line_width,
    now,
    print_json,
    print_text,
    warn,
)
from dbt.adapters.trickle.cli.refusal import Refusal
from trickle.schedule.sentences import missed_target_sentence
from trickle.schedule.ticks import ticks

NOTHING_DUE = 3


def add_parser(subcommands: Any) -> None:
    parser = subcommands.add_parser(
        "due",
        help="show which stream tables of a dbt project are due",
        description="Prints, for every stream table, its schedule, its last refresh, its next slot, whether it is due "
        "and why, and how stale it is. Exit code 0 if a table is due, 3 if none is. Reads the manifest of the "
        "last dbt command, has dbt parse the project if files were edited since, and starts no Spark.",
    )
    add_project_options(parser)
    add_format_option(parser)
    parser.add_argument("--at", metavar="INSTANT", help="use this instant instead of now, such as 2026-11-19T12:05")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    project = current_project(given)
    # Reading a project imports the adapter, which other commands do without.
    from dbt.adapters.trickle.monitoring.due import due_json, due_text, dues
    from dbt.adapters.trickle.monitoring.run_time import scheduled_tables
    from dbt.adapters.trickle.scheduling.due_tables import schedule_faults

    instant = now() if given.at is None else _instant(given.at, project.profile.time_zone)
    tables = dues(project, instant)
    for fault in schedule_faults(project.nodes):
        warn(fault)
    for missed in ticks(scheduled_tables(project), instant).missed_targets:
        warn(missed_target_sentence(missed))
    if given.format == "json":
        print_json(due_json(project, tables, instant))
    else:
        print_text(due_text(project, tables, instant, line_width()))
    return 0 if any(table.is_due for table in tables) else NOTHING_DUE


def _instant(text: str, zone: str) -> int:
    """Epoch milliseconds; an instant without an offset is in the profile's time zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise Refusal(f"--at {text}: write an instant such as 2026-11-19T12:05 or 2026-11-19T12:05+01:00") from None
    return round((moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone))).timestamp() * 1000)
