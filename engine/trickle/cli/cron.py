"""dbt-trickle cron: what to tell a scheduler so that every schedule of the project is met."""

from __future__ import annotations

import argparse
from typing import Any

from trickle.cli.project import add_project_options, current_project, now, say
from trickle.cli.schedulers import SCHEDULERS, Job
from trickle.schedule.ticks import ticks, tightest


def add_parser(subcommands: Any) -> None:
    parser = subcommands.add_parser(
        "cron",
        help="print what starts dbt often enough for the project's schedules",
        description="Prints a snippet for a scheduler that starts dbt as often as the tightest schedule of the project "
        "asks for. A model's own schedule then says which of the runs refresh it.",
    )
    add_project_options(parser)
    parser.add_argument(
        "--for", dest="scheduler", choices=tuple(SCHEDULERS), default="crontab", help="the scheduler (default: crontab)"
    )
    parser.add_argument("--command", dest="started", default="dbt run", metavar="COMMAND", help="what is started")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    project = current_project(given)
    from dbt.adapters.trickle.scheduling import graph_of

    instant = now()
    graph = graph_of(project.nodes, project.profile.time_zone)
    schedules = [graph.schedule(node.id) for node in project.stream_tables]
    place = tightest(schedules, instant)
    if place is None:
        because = "No model has a schedule, so every run refreshes every table: choose how often."
    else:
        because = f"The tightest schedule of the project is {schedules[place]} ({project.stream_tables[place].name})."
    say(
        SCHEDULERS[given.scheduler](
            Job(project.name, str(project.root), given.started, ticks(schedules, instant), because)
        )
    )
    return 0
