"""Configurations of schedulers that start dbt: one snippet per scheduler, ready to be pasted."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from zlib import crc32

from trickle.schedule.duration import MINUTE


@dataclass(frozen=True)
class Job:
    """The command to start, its folder, and when (cron expressions in UTC)."""

    project: str
    folder: Path
    command: Sequence[str]
    """The words of the command; the first is an absolute path."""
    ticks: Sequence[str]
    comments: Sequence[str]
    java_home: str = ""
    """The current JAVA_HOME: schedulers have an environment of their own."""

    @property
    def name(self) -> str:
        return f"dbt-{self.project.replace('_', '-')}"

    @property
    def unique_name(self) -> str:
        """A name that differs per folder, so that copies of a project do not wait for each other."""
        return f"{self.name}-{crc32(str(self.folder).encode()):08x}"

    @property
    def comment(self) -> str:
        return "\n".join(f"# {comment}" for comment in self.comments)

    @property
    def shell(self) -> str:
        return shlex.join(self.command)


def crontab(job: Job) -> str:
    """A crontab. `flock` skips a tick while the last run is still going. Cron reads a bare % as the end of the line."""
    lines = [
        job.comment,
        "# Hours are UTC: if the machine's clock is not, add CRON_TZ=UTC above if your cron supports it.",
    ]
    # Cron reads the rest of such a line literally, blanks included.
    lines += [f"JAVA_HOME={job.java_home}"] if job.java_home else []
    stem = f"/tmp/{job.unique_name}"  # noqa: S108 - a path for another machine's shell
    line = f"cd {shlex.quote(str(job.folder))} && flock -n {stem}.lock {job.shell} >> {stem}.log 2>&1"
    lines += [f"{tick} {line}".replace("%", "\\%") for tick in job.ticks]
    return "\n".join(lines)


def systemd(job: Job) -> str:
    calendars = "\n".join(f"OnCalendar={calendar(tick)}" for tick in job.ticks)
    java = f"\nEnvironment={_systemd_word(f'JAVA_HOME={job.java_home}')}" if job.java_home else ""
    return f"""{job.comment}
# /etc/systemd/system/{job.name}.service
[Unit]
Description=dbt for {job.project}

[Service]
Type=oneshot
WorkingDirectory={_systemd_path(str(job.folder))}{java}
ExecStart={" ".join(_systemd_word(word) for word in job.command)}

# /etc/systemd/system/{job.name}.timer, then: systemctl enable --now {job.name}.timer
[Unit]
Description=Starts {job.name}

[Timer]
{calendars}
AccuracySec=1s

[Install]
WantedBy=timers.target"""


def _systemd_path(text: str) -> str:
    return text.replace("%", "%%")


def _systemd_word(word: str) -> str:
    """The word, quoted if systemd would split or expand it."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    plain = word.replace("/", "").replace("-", "").replace("_", "").replace(".", "")
    return escaped if plain.isalnum() else f'"{escaped}"'


def airflow(job: Job) -> str:
    crons = ", ".join(json.dumps(tick) for tick in job.ticks)
    several = len(job.ticks) > 1
    timetable = f'MultipleCronTriggerTimetable({crons}, timezone="UTC")' if several else crons
    imported = "from airflow.timetables.trigger import MultipleCronTriggerTimetable\n" if several else ""
    # Airflow renders the command with Jinja, and reads a command that ends in .sh as the name of a file.
    command = f"{job.shell} " if job.shell.endswith((".sh", ".bash")) else job.shell
    if any(mark in command for mark in ("{{", "{%", "{#")):
        command = f"{{% raw %}}{command}{{% endraw %}}"
    return f"""{job.comment}
from datetime import datetime, timezone

from airflow import DAG
from airflow.providers.standard.operators.bash import BashOperator
{imported}
with DAG(
    {json.dumps(job.name)},
    schedule={timetable},
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    max_active_runs=1,
):
    BashOperator(task_id="dbt", bash_command={json.dumps(command)}, cwd={json.dumps(str(job.folder))})"""


def dagster(job: Job) -> str:
    crons = ", ".join(json.dumps(tick) for tick in job.ticks)
    schedule = f"[{crons}]" if len(job.ticks) > 1 else crons
    return f"""{job.comment}
import subprocess

import dagster as dg


@dg.op
def run_dbt() -> None:
    subprocess.run({json.dumps(list(job.command))}, check=True, cwd={json.dumps(str(job.folder))})


@dg.job(name={json.dumps(job.name.replace("-", "_"))})
def dbt_job() -> None:
    run_dbt()


defs = dg.Definitions(
    jobs=[dbt_job],
    schedules=[dg.ScheduleDefinition(job=dbt_job, cron_schedule={schedule}, execution_timezone="UTC")],
)"""


def github(job: Job) -> str:
    crons = "\n".join(f'    - cron: "{tick}"' for tick in job.ticks)
    return f"""{job.comment}
# GitHub starts runs minutes late and not more often than every five minutes. The embedded warehouse must be on a disk
# that outlives the run: a runner of your own. `clean: false` keeps the checkout from deleting files that git does not
# know, the warehouse among them; a `warehouse` in the profile outside of the checkout is safer still.
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
        with:
          clean: false
      - run: |
          test -x .venv/bin/dbt || python3 -m venv .venv
          .venv/bin/pip install --quiet dbt-trickle
          {_command_on_runner(job)}"""


def _command_on_runner(job: Job) -> str:
    """The command with the runner's own dbt and profiles, and with folders relative to the checkout."""
    folders = (job.folder, *job.folder.parents)
    root = next((folder for folder in folders if (folder / ".git").exists()), job.folder)
    words = [".venv/bin/dbt" if Path(job.command[0]).name == "dbt" else job.command[0]]
    for option, word in pairwise(job.command):
        inside = word.startswith("/") and Path(word).is_relative_to(root)
        if option == "--profiles-dir" and not inside:
            # A folder of this machine; the runner has its own.
            words.pop()
        else:
            words.append(str(Path(word).relative_to(root)) if inside else word)
    return shlex.join(words)


SCHEDULERS: Mapping[str, Callable[[Job], str]] = {
    "crontab": crontab,
    "systemd": systemd,
    "airflow": airflow,
    "dagster": dagster,
    "github": github,
}

FINEST: Mapping[str, int] = {"github": 5 * MINUTE}
"""The shortest interval of schedulers that cannot run every minute."""

WEEKDAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def calendar(tick: str) -> str:
    """A cron expression as systemd's calendar event: `*/5 * * * *` → `*-*-* *:00/5:00 UTC`.

    If both day fields are set, cron runs on days that match either, systemd on days that match both. Then the event is
    daily: an extra tick is cheap.
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
