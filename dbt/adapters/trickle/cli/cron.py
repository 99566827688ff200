"""dbt-trickle cron: what to tell a scheduler so that every schedule of the project is met."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from dbt.adapters.trickle.cli.project import add_project_options, current_project, now, say, warn
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
        help="print what starts dbt often enough for the project's schedules",
        description="Prints a snippet for a scheduler that starts dbt as often as the project's schedules ask for, the "
        "wait for a tick and the run times of past refreshes counted in. A model's own schedule then says which of "
        "the runs refresh it.",
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
        help="what is started (default: dbt run); a dbt command is given its absolute path and the project's folders",
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    project = current_project(given)
    from dbt.adapters.trickle.monitoring.run_time import scheduled_tables

    tables = scheduled_tables(project)
    instant = now()
    told = ticks(tables, instant, FINEST.get(given.scheduler, MINUTE))
    for one in told.missed_targets:
        warn(missed_target_sentence(one, given.scheduler))
    job = Job(
        project=project.name,
        folder=project.root,
        command=_command(given, project),
        ticks=told.expressions,
        comments=(
            _because(tables, told, instant),
            *(missed_target_sentence(one, given.scheduler) for one in told.missed_targets),
        ),
        java_home=os.environ.get("JAVA_HOME", ""),
    )
    say(SCHEDULERS[given.scheduler](job))
    return 0


def _because(tables: Sequence[ScheduledTable], told: Ticks, instant: int) -> str:
    place = tightest([one.schedule for one in tables], instant)
    if place is None:
        return "No model has a schedule, so every run refreshes every table: choose how often."
    longest = max((one.takes or 0 for one in tables), default=0)
    measured = (
        f"runs take up to {show_seconds(longest)}" if longest else "runs are taken to last 30s until some were measured"
    )
    gap = f" A tick every {show_duration(told.gap)} meets it: {measured}." if told.gap is not None else ""
    return f"The tightest schedule of the project is {tables[place].schedule} ({tables[place].name}).{gap}"


def _command(given: argparse.Namespace, project: Project) -> tuple[str, ...]:
    """The words of the command. One that is no dbt command is a shell's business."""
    words = shlex.split(given.started)
    if not words or words[0] != "dbt":
        return ("/bin/sh", "-c", given.started)
    named: list[tuple[str, Optional[str]]] = [
        ("--project-dir", str(project.root)),
        ("--profiles-dir", _profiles(given)),
        ("--target", given.target),
    ]
    places = [word for name, value in named if value is not None and name not in words for word in (name, value)]
    return (_dbt(), *words[1:], *places)


def _profiles(given: argparse.Namespace) -> str:
    from dbt.adapters.trickle.project.profile import profiles_folder

    return str(profiles_folder(given.profiles_dir, os.environ).resolve())


def _dbt() -> str:
    """The dbt that stands beside this program, else the first on the PATH."""
    beside = Path(sys.executable).parent / "dbt"
    return str(beside) if beside.is_file() else shutil.which("dbt") or "dbt"
