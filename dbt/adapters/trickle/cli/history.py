"""dbt-trickle history: every refresh of a stream table, from its Delta log alone."""

from __future__ import annotations

import argparse
from typing import Any

from dbt.adapters.trickle.cli.project import (
    add_format_option,
    add_project_options,
    line_width,
    opened_project,
    print_json,
    print_text,
)
from dbt.adapters.trickle.cli.refusal import Refusal

DEFAULT_LIMIT = 20


def add_parser(subcommands: Any) -> None:
    parser = subcommands.add_parser(
        "history",
        help="list the refreshes of a stream table",
        description="Prints every refresh that wrote rows: time, action and reason, rows inserted (+), updated "
        "(~) and deleted (−) in storage, seconds to the commit, and the versions of the sources before and after. "
        "Refreshes that found no changes write nothing and are not in the log. Starts no Spark.",
    )
    parser.add_argument("model", metavar="MODEL", help="a stream table: its model, its name, or schema.name")
    parser.add_argument(
        "--limit", type=int, default=DEFAULT_LIMIT, metavar="N", help="how many, 0 for all (default: %(default)s)"
    )
    add_project_options(parser)
    add_format_option(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from dbt.adapters.trickle.history.delta_files import LogUnreadable
    from dbt.adapters.trickle.monitoring.history_text import history_json, history_text
    from dbt.adapters.trickle.monitoring.refreshes import refreshes
    from dbt.adapters.trickle.project import ProjectError

    project = opened_project(given)
    try:
        node = project.stream_table(given.model)
        log = project.storage_log(node)
        records = refreshes(log, given.limit or None) if log.exists else []
    except (ProjectError, LogUnreadable) as wrong:
        raise Refusal(str(wrong)) from wrong
    if given.format == "json":
        print_json(history_json(node, records))
    else:
        print_text(history_text(node, records, project.profile.time_zone, line_width()))
    return 0
