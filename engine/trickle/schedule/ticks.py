"""How often something must start dbt, so that every schedule of a project is met: cron expressions for schedulers.

A run in which nothing is due costs little, so it may come too often and must not come too seldom.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Optional

from trickle.schedule.cron import first_after
from trickle.schedule.duration import DAY, HOUR, MINUTE
from trickle.schedule.slots import Cron, Every, OnUpdate, Schedule, Together

USUAL = "*/15 * * * *"
"""Where no table has a schedule, so that every run refreshes every table, nothing better is known."""

MINUTES = (30, 20, 15, 12, 10, 6, 5, 4, 3, 2, 1)
HOURS = (12, 8, 6, 4, 3, 2, 1)
OURS_ALONE = re.compile(r"#|^LW?$|^\d+L$")
"""The last day of a month and the first Monday in it: few schedulers know them, so they get every day."""

SAMPLED = 60
"""Slots looked at to see whether one expression covers another."""


def ticks(schedules: Iterable[Schedule], now: int) -> tuple[str, ...]:
    """Cron expressions in UTC whose instants, together, meet every schedule. At least one."""
    single = [part for one in schedules for part in (one.members if isinstance(one, Together) else (one,))]
    durations = [length for one in single if (length := _duration(one)) is not None]
    regular = _step(min(durations)) if durations else None
    found: list[str] = [] if regular is None else [regular]
    for cron in sorted({one for one in single if isinstance(one, Cron)}, key=str):
        if not any(_covers(tick, cron, now) for tick in found):
            found.append(_in_utc(cron, now))
    return tuple(dict.fromkeys(found)) or (USUAL,)


def tightest(schedules: Sequence[Schedule], now: int) -> Optional[int]:
    """The place of the schedule that asks for the freshest rows; None where none asks for any."""
    targets = [(target, place) for place, one in enumerate(schedules) if (target := one.target(now)) is not None]
    return min(targets)[1] if targets else None


def _duration(schedule: Schedule) -> Optional[int]:
    match schedule:
        case Every():
            return schedule.duration
        case OnUpdate():
            return schedule.at_most_every
        case _:
            return None


def _step(duration: int) -> str:
    """The evenly spaced expression that comes nearest to a duration without exceeding it; every minute at the least."""
    if duration >= DAY:
        return "0 0 * * *"
    if duration >= HOUR:
        hours = next(step for step in HOURS if step * HOUR <= duration)
        return "0 * * * *" if hours == 1 else f"0 */{hours} * * *"
    minutes = next((step for step in MINUTES if step * MINUTE <= duration), 1)
    return "* * * * *" if minutes == 1 else f"*/{minutes} * * * *"


def _slots(expression: str, zone: str, now: int) -> list[int]:
    found: list[int] = []
    slot = first_after(expression, zone, now)
    while slot is not None and len(found) < SAMPLED:
        found.append(slot)
        slot = first_after(expression, zone, slot)
    return found


def _covers(tick: str, cron: Cron, now: int) -> bool:
    """Whether the tick comes at the cron's slots, as far as one looks ahead."""
    return all(first_after(tick, "UTC", slot - 1) == slot for slot in _slots(cron.expression, cron.zone, now))


def _in_utc(cron: Cron, now: int) -> str:
    """The expression itself where it reads the same in UTC; elsewhere every hour, at the minutes it has in UTC.

    The hour in UTC moves with the seasons, and a tick too many is cheap. Schedulers count minutes: seconds are dropped.
    """
    fields = cron.expression.split()[-5:]
    if cron.zone == "UTC":
        return " ".join("*" if OURS_ALONE.search(field) else field for field in fields)
    minutes = sorted({slot // MINUTE % 60 for slot in _slots(cron.expression, cron.zone, now)})
    return "* * * * *" if len(minutes) == 60 else f"{','.join(str(minute) for minute in minutes)} * * * *"
