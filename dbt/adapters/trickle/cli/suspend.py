"""dbt-trickle suspend and resume: stop refreshing stream tables, and start again. Starts no Spark."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from dbt.adapters.trickle.cli.project import add_project_options, current_project, now, print_text
from dbt.adapters.trickle.cli.refusal import Refusal

if TYPE_CHECKING:
    from dbt.adapters.trickle.project import Node, Project


def add_parser(subcommands: Any) -> None:
    suspend = subcommands.add_parser(
        "suspend",
        help="stop refreshing stream tables until they are resumed",
        description="From the next run on the tables keep their rows, and dbt warns about it. --full-refresh and "
        "--vars '{trickle_force: true}' still refresh them, in that run.",
    )
    resume = subcommands.add_parser(
        "resume",
        help="refresh suspended stream tables again",
        description="Ends a suspension, whether by `dbt-trickle suspend` or by too many failures in a row, which "
        "are then counted from 0 again. The next run that finds the table due refreshes it.",
    )
    for parser, run in ((suspend, _suspend), (resume, _resume)):
        parser.add_argument("models", nargs="+", metavar="MODEL", help="a stream table's model, or schema.table")
        add_project_options(parser)
        parser.set_defaults(run=run)


def _suspend(given: argparse.Namespace) -> int:
    from dbt.adapters.trickle.ports import Suspension
    from dbt.adapters.trickle.scheduling.due_tables import memory_of

    project, nodes = _named(given)
    stored = project.memory
    for node in nodes:
        if memory_of(project, node).suspended_since is not None:
            print_text(f"{node.name} is suspended already.")
            continue
        stored.write_suspension(*node.relation, Suspension(now(), stored.suspension(*node.relation).forgiven))
        print_text(f"{node.name} is suspended: its rows stay as they are until `dbt-trickle resume {node.name}`.")
    return 0


def _resume(given: argparse.Namespace) -> int:
    from dbt.adapters.trickle.ports import Suspension
    from dbt.adapters.trickle.scheduling.due_tables import due_tables_of, memory_of
    from dbt.adapters.trickle.scheduling.memory import failures_of

    project, nodes = _named(given)
    stored = project.memory
    due_tables = due_tables_of(project, now())
    suspended = due_tables.suspended | due_tables.failed_too_often
    for node in nodes:
        memory = memory_of(project, node)
        stored.write_suspension(*node.relation, Suspension(None, failures_of(memory.definition, memory.stamped)))
        resumed = f"is resumed{_forgiven_failures(memory.errors)}: the next run that finds it due refreshes it."
        print_text(f"{node.name} {resumed if node.id in suspended else 'was not suspended.'}")
    return 0


def _forgiven_failures(errors: int) -> str:
    return f", and its {errors} failures in a row are forgiven" if errors else ""


def _named(given: argparse.Namespace) -> tuple[Project, list[Node]]:
    """The project and the nodes of all named models, found before the first is changed."""
    from dbt.adapters.trickle.project import ProjectError

    project = current_project(given)
    try:
        return project, [project.stream_table(name) for name in given.models]
    except ProjectError as wrong:
        raise Refusal(str(wrong)) from wrong
