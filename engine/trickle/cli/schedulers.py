"""What to tell a scheduler so that it starts dbt: one snippet each, ready to be pasted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Job:
    """What is to be started, where, and when (cron expressions in UTC)."""

    project: str
    folder: str
    command: str
    ticks: Sequence[str]
    because: str

    @property
    def name(self) -> str:
        return f"dbt-{self.project.replace('_', '-')}"

    @property
    def comment(self) -> str:
        return f"# {self.because}"


def crontab(job: Job) -> str:
    """`flock` leaves a tick out while the last run still goes on."""
    lines = [
        job.comment,
        "# Hours are UTC: where the machine's clock is not, say CRON_TZ=UTC above if your cron reads it.",
    ]
    lines += [
        f"{tick} cd {job.folder} && flock -n /tmp/{job.name}.lock {job.command} >> /tmp/{job.name}.log 2>&1"
        for tick in job.ticks
    ]
    return "\n".join(lines)


def systemd(job: Job) -> str:
    calendars = "\n".join(f"OnCalendar={calendar(tick)}" for tick in job.ticks)
    return f"""{job.comment}
# /etc/systemd/system/{job.name}.service
[Unit]
Description={job.command} in {job.folder}

[Service]
Type=oneshot
WorkingDirectory={job.folder}
ExecStart=/usr/bin/env {job.command}

# /etc/systemd/system/{job.name}.timer, then: systemctl enable --now {job.name}.timer
[Unit]
Description=Starts {job.name}

[Timer]
{calendars}
AccuracySec=1s

[Install]
WantedBy=timers.target"""


def airflow(job: Job) -> str:
    crons = ", ".join(f'"{tick}"' for tick in job.ticks)
    several = len(job.ticks) > 1
    timetable = f'MultipleCronTriggerTimetable({crons}, timezone="UTC")' if several else crons
    imported = "from airflow.timetables.trigger import MultipleCronTriggerTimetable\n" if several else ""
    return f"""{job.comment}
from datetime import datetime, timezone

from airflow import DAG
from airflow.providers.standard.operators.bash import BashOperator
{imported}
with DAG(
    "{job.name}",
    schedule={timetable},
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    max_active_runs=1,
):
    BashOperator(task_id="dbt", bash_command="{job.command}", cwd="{job.folder}")"""


def dagster(job: Job) -> str:
    crons = ", ".join(f'"{tick}"' for tick in job.ticks)
    schedule = f"[{crons}]" if len(job.ticks) > 1 else crons
    return f"""{job.comment}
import subprocess

import dagster as dg


@dg.op
def run_dbt() -> None:
    subprocess.run("{job.command}", shell=True, check=True, cwd="{job.folder}")


@dg.job(name="{job.name.replace("-", "_")}")
def dbt_job() -> None:
    run_dbt()


defs = dg.Definitions(
    jobs=[dbt_job],
    schedules=[dg.ScheduleDefinition(job=dbt_job, cron_schedule={schedule}, execution_timezone="UTC")],
)"""


def github(job: Job) -> str:
    crons = "\n".join(f'    - cron: "{tick}"' for tick in job.ticks)
    return f"""{job.comment}
# GitHub starts runs minutes late and not more often than every five minutes. The embedded warehouse must lie on a disk
# that outlives the run: a runner of your own.
name: {job.name}
on:
  schedule:
{crons}
  workflow_dispatch:
concurrency: {job.name}
jobs:
  dbt:
    runs-on: self-hosted
    steps:
      - uses: actions/checkout@v4
      - run: pip install dbt-trickle
      - run: {job.command}"""


SCHEDULERS: Mapping[str, Callable[[Job], str]] = {
    "crontab": crontab,
    "systemd": systemd,
    "airflow": airflow,
    "dagster": dagster,
    "github": github,
}

WEEKDAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def calendar(tick: str) -> str:
    """A cron expression as systemd's calendar event: `*/5 * * * *` → `*-*-* *:00/5:00 UTC`.

    Where both name days, cron takes either and systemd only days that are both: every day then, for a tick is cheap.
    """
    minute, hour, day, month, weekday = tick.split()
    if day != "*" and weekday != "*":
        day = weekday = "*"
    days = "" if weekday == "*" else f"{_weekdays(weekday)} "
    return f"{days}*-{_part(month)}-{_part(day)} {_part(hour)}:{_part(minute)}:00 UTC"


def _part(field: str) -> str:
    """`*/5` → `00/5`, `1-5` → `01..05`, `7` → `07`."""
    if field == "*":
        return "*"
    return ",".join(_range(part) for part in field.split(","))


def _range(part: str) -> str:
    span, _, step = part.partition("/")
    first, _, last = ("00", "", "") if span == "*" else span.partition("-")
    text = first.zfill(2) + (f"..{last.zfill(2)}" if last else "")
    return f"{text}/{step}" if step else text


def _weekdays(field: str) -> str:
    return ",".join(_weekday(part) for part in field.split(","))


def _weekday(part: str) -> str:
    first, _, last = part.partition("-")
    names = [WEEKDAYS[int(day)] if day.isdigit() else day.capitalize() for day in (first, last) if day]
    return "..".join(names)
