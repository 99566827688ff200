"""dbt-trickle suspend and resume: leave stream tables as they are, and take them up again. Starts no Spark."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from dbt.adapters.trickle.cli.project import add_project_options, current_project, now, say
from dbt.adapters.trickle.cli.refusal import Refusal

if TYPE_CHECKING:
    from dbt.adapters.trickle.project import Node, Project


def add_parser(subcommands: Any) -> None:
    suspend = subcommands.add_parser(
        "suspend",
        help="leave stream tables as they are until they are resumed",
        description="From the next run on the tables keep their rows, and dbt warns of it. --full-refresh and "
        "--vars '{trickle_force: true}' refresh them all the same, in that run.",
    )
    resume = subcommands.add_parser(
        "resume",
        help="take suspended stream tables up again",
        description="Lifts a suspension, be it one by `dbt-trickle suspend` or by too many failures in a row, which "
        "are then counted anew. The next run that finds the table due refreshes it.",
    )
    for parser, run in ((suspend, _suspend), (resume, _resume)):
        parser.add_argument("models", nargs="+", metavar="MODEL", help="a stream table's model, or schema.table")
        add_project_options(parser)
        parser.set_defaults(run=run)


def _suspend(given: argparse.Namespace) -> int:
    from dbt.adapters.trickle.scheduling.due_tables import memory_of
    from dbt.adapters.trickle.scheduling.suspensions import Ruling, Suspensions

    project, nodes = _named(given)
    rulings = Suspensions(project.warehouse.rulings)
    for node in nodes:
        if memory_of(project, node).suspended_since is not None:
            say(f"{node.name} is suspended already.")
            continue
        rulings.decide(*node.relation, Ruling(now(), rulings.of(*node.relation).forgiven))
        say(f"{node.name} is suspended: its rows stay as they are until `dbt-trickle resume {node.name}`.")
    return 0


def _resume(given: argparse.Namespace) -> int:
    from dbt.adapters.trickle.scheduling.due_tables import judge_round, memory_of
    from dbt.adapters.trickle.scheduling.memory import failures_of
    from dbt.adapters.trickle.scheduling.suspensions import Ruling, Suspensions

    project, nodes = _named(given)
    rulings = Suspensions(project.warehouse.rulings)
    round_ = judge_round(project, now())
    suspended = round_.suspended | round_.failed_too_often
    for node in nodes:
        memory = memory_of(project, node)
        rulings.decide(*node.relation, Ruling(None, failures_of(memory.definition, memory.stamped)))
        lifted = f"is resumed{_because(memory.errors)}: the next run that finds it due refreshes it."
        say(f"{node.name} {lifted if node.id in suspended else 'was not suspended.'}")
    return 0


def _because(errors: int) -> str:
    return f", and its {errors} failures in a row are forgiven" if errors else ""


def _named(given: argparse.Namespace) -> tuple[Project, list[Node]]:
    """All of them are known before the first is touched."""
    from dbt.adapters.trickle.project import ProjectError

    project = current_project(given)
    try:
        return project, [project.stream_table(name) for name in given.models]
    except ProjectError as wrong:
        raise Refusal(str(wrong)) from wrong
