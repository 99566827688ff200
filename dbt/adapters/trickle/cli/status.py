"""dbt-trickle status: the state of every stream table of a project. Reads Delta logs; starts no Spark."""

from __future__ import annotations

import argparse
from typing import Any

from dbt.adapters.trickle.cli.project import (
    add_format_option,
    add_project_options,
    line_width,
    now,
    opened_project,
    print_json,
    print_text,
)


def add_parser(subcommands: Any) -> None:
    parser = subcommands.add_parser(
        "status",
        help="show the state of every stream table of a dbt project",
        description="Prints, for every stream table, whether it is behind its sources and by how much, the action and "
        "reason of its last refresh, how it is maintained, its rows and bytes. Reads the manifest of the last dbt "
        "command and the tables' logs, and starts no Spark.",
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
    tables, orphan_storages = statuses(project, targets_of(project), instant), orphans(project)
    if given.format == "json":
        print_json(status_json(project, tables, instant, orphan_storages))
    else:
        print_text(status_text(project, tables, instant, line_width(), orphan_storages))
    return 0
