"""dbt-trickle cron: a scheduler's configuration that starts dbt often enough for the project's schedules."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from dbt.adapters.trickle.cli.project import add_project_options, current_project, now, print_text, warn
from dbt.adapters.trickle.cli.schedulers import FINEST, SCHEDULERS, Job
from trickle.schedule.duration import MINUTE, show_duration
from trickle.schedule.sentences import missed_target_sentence, show_seconds
from trickle.schedule.ticks import ScheduledTable, Ticks, ticks, tightest

if TYPE_CHECKING:
    from dbt.adapters.trickle.project import Project

DBT_RUN = "dbt run"


def add_parser(subcommands: Any) -> None:
    parser = subcommands.add_parser(
        "cron",
        help="print a scheduler's configuration for the project's schedules",
        description="Prints a snippet for a scheduler that starts dbt as often as the project's schedules require, "
        "including the wait for a tick and the run times of past refreshes. A model's own schedule then decides which "
        "of the runs refresh it.",
    )
    add_project_options(parser)
    parser.add_argument(
        "--for", dest="scheduler", choices=tuple(SCHEDULERS), default="crontab", help="the scheduler (default: crontab)"
    )
    parser.add_argument(
        "--command",
        dest="started",
        default=DBT_RUN,
        metavar="COMMAND",
        help="the command to start (default: dbt run); a dbt command gets its absolute path and the project's folders",
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    project = current_project(given)
    from dbt.adapters.trickle.monitoring.run_time import scheduled_tables

    tables = scheduled_tables(project)
    instant = now()
    computed = ticks(tables, instant, FINEST.get(given.scheduler, MINUTE))
    for missed in computed.missed_targets:
        warn(missed_target_sentence(missed, given.scheduler))
    job = Job(
        project=project.name,
        folder=project.root,
        command=_command(given, project),
        ticks=computed.expressions,
        comments=(
            _comment(tables, computed, instant),
            *(missed_target_sentence(missed, given.scheduler) for missed in computed.missed_targets),
        ),
        java_home=os.environ.get("JAVA_HOME", ""),
    )
    print_text(SCHEDULERS[given.scheduler](job))
    return 0


def _comment(tables: Sequence[ScheduledTable], computed: Ticks, instant: int) -> str:
    tightest_index = tightest([table.schedule for table in tables], instant)
    if tightest_index is None:
        return "No model has a schedule, so every run refreshes every table: choose how often."
    longest = max((table.takes or 0 for table in tables), default=0)
    measured = f"runs take up to {show_seconds(longest)}" if longest else "runs count as 30s until some were measured"
    gap = f" A tick every {show_duration(computed.gap)} meets it: {measured}." if computed.gap is not None else ""
    table = tables[tightest_index]
    return f"The tightest schedule of the project is {table.schedule} ({table.name}).{gap}"


def _command(given: argparse.Namespace, project: Project) -> tuple[str, ...]:
    """The words of the command; a command other than dbt is run by a shell."""
    words = shlex.split(given.started)
    if not words or words[0] != "dbt":
        return ("/bin/sh", "-c", given.started)
    named: list[tuple[str, Optional[str]]] = [
        ("--project-dir", str(project.root)),
        ("--profiles-dir", _profiles(given)),
        ("--target", given.target),
    ]
    options = [word for name, value in named if value is not None and name not in words for word in (name, value)]
    return (_dbt(), *words[1:], *options)


def _profiles(given: argparse.Namespace) -> str:
    from dbt.adapters.trickle.project.profile import profiles_folder

    return str(profiles_folder(given.profiles_dir, os.environ).resolve())


def _dbt() -> str:
    """The dbt in the folder of this Python, else the first on the PATH."""
    neighbour = Path(sys.executable).parent / "dbt"
    return str(neighbour) if neighbour.is_file() else shutil.which("dbt") or "dbt"
