"""dbt-trickle status: how every stream table of a project stands. Reads Delta logs; starts no Spark."""

from __future__ import annotations

import argparse
from typing import Any

from dbt.adapters.trickle.cli.project import (
    add_format_option,
    add_project_options,
    now,
    opened_project,
    say,
    say_json,
    window,
)


def add_parser(subcommands: Any) -> None:
    parser = subcommands.add_parser(
        "status",
        help="say how every stream table of a dbt project stands",
        description="Prints, for every stream table, whether it is behind its sources and by how much, what its last "
        "refresh did and why, how it is maintained, its rows and bytes. It reads what dbt compiled last and the "
        "tables' logs, and starts no Spark.",
    )
    add_project_options(parser)
    add_format_option(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from dbt.adapters.trickle.monitoring.orphans import orphans
    from dbt.adapters.trickle.monitoring.status import statuses
    from dbt.adapters.trickle.monitoring.status_text import status_json, status_text
    from dbt.adapters.trickle.monitoring.targets import targets_of

    project = opened_project(given)
    instant = now()
    found, left = statuses(project, targets_of(project), instant), orphans(project)
    if given.format == "json":
        say_json(status_json(project, found, instant, left))
    else:
        say(status_text(project, found, instant, window(), left))
    return 0
