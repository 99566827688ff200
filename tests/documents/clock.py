"""Which schedule refreshes when, against the clock: the rule itself, run through one afternoon."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from tests.schedule.clockwork import refreshes
from tests.schedule.instants import at
from trickle.schedule.clock_text import show_instant
from trickle.schedule.cron import first_after
from trickle.schedule.duration import show_duration
from trickle.schedule.parse import parse_schedule
from trickle.schedule.ticks import ScheduledTable, ticks

NOON = at("2026-11-19 12:00")
SHOWN = 3
"""Refreshes in a row."""

SCHEDULES: tuple[object, ...] = (
    "5m",
    "15m",
    "1h",
    {"target_lag": "6h"},
    "1d",
    {"every": "5m"},
    {"every": "1h"},
    {"every": "1d"},
    {"every": "1d", "time_zone": "Europe/Berlin"},
    {"every": "1w"},
    "0 3 * * *",
    {"on_update": True, "at_most_every": "10m"},
)


def clock_table(_: str) -> str:
    """A row for each schedule: the ticks that `cron` suggests, and the refreshes after noon that come of them."""
    head = ["| `schedule` | what `cron` suggests | refreshes after noon, UTC | at most |", "|---|---|---|---|"]
    return "\n".join([*head, *map(_row, SCHEDULES), ""])


def _row(asked: object) -> str:
    schedule = parse_schedule(asked)
    table = ScheduledTable("t", schedule)  # type: ignore[arg-type]
    (tick,) = ticks([table], NOON).expressions
    came: list[int] = [NOON - 3 * (table.schedule.target(NOON) or 0)]
    while len(came) < 400:
        following = first_after(tick, "UTC", came[-1])
        assert following is not None
        came.append(following)
    found = refreshes(table.schedule, iter(came[1:]), came[-2], Random(0), 30_000)
    after = [one for one in found if one.began > NOON]
    shown = ", ".join(show_instant(one.began, "UTC", NOON) for one in after[:SHOWN])
    apart = max(later.began - one.began for one, later in pairwise(found[1:]))
    return f"| `{_said(asked)}` | `{tick}` | {shown}, … | {show_duration(apart)} apart |"


def _said(asked: object) -> str:
    if not isinstance(asked, dict):
        return str(asked)
    said = (f"{key}: {'true' if value is True else value}" for key, value in asked.items())
    return "{" + ", ".join(said) + "}"
