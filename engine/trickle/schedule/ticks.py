"""How often something must start dbt, so that every schedule of a project is met: cron expressions for schedulers.

A run in which nothing is due costs little, so it may come too often and must not come too seldom.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Optional, Union

from trickle.schedule.cron import first_after
from trickle.schedule.duration import DAY, HOUR, MINUTE
from trickle.schedule.every import Every
from trickle.schedule.promise import ASSUMED, ENDING, RunTimes, is_met, smallest_met
from trickle.schedule.slots import Cron, EveryRun, OnUpdate, Schedule, members
from trickle.schedule.target_lag import TargetLag

USUAL = "*/15 * * * *"
"""Where no table has a schedule, so that every run refreshes every table, nothing better is known."""

MINUTES = (30, 20, 15, 12, 10, 6, 5, 4, 3, 2)
HOURS = (12, 8, 6, 4, 3, 2)
STEPS = (
    (DAY, "0 0 * * *"),
    *((hours * HOUR, f"0 */{hours} * * *") for hours in HOURS),
    (HOUR, "0 * * * *"),
    *((minutes * MINUTE, f"*/{minutes} * * * *") for minutes in MINUTES),
    (MINUTE, "* * * * *"),
)
"""What is evenly spaced in every scheduler, the longest first."""

OURS_ALONE = re.compile(r"#|^LW?$|^\d+L$")
"""The last day of a month and the first Monday in it: few schedulers know them, so they get every day."""

SAMPLED = 60
"""Slots looked at to see whether one expression covers another."""

WAITING = 4
"""A tick may keep a table waiting for this part of its target: slots take half, so a run may take another."""

FEW = 4
"""A step shorter than this part of a duration comes too often for what it is worth."""


@dataclass(frozen=True)
class ScheduledTable:
    """A stream table, for who plans ticks."""

    name: str
    schedule: Schedule
    takes: Optional[int] = None
    """Milliseconds from the start of a run until the table is written; None: not measured."""


@dataclass(frozen=True)
class MissedTarget:
    """A target lag that no tick of this kind keeps."""

    table: ScheduledTable
    target: TargetLag
    smallest: Optional[TargetLag]
    """The smallest that would be kept."""


@dataclass(frozen=True)
class Ticks:
    """Cron expressions in UTC, at least one, whose instants together meet every schedule but those that none can."""

    expressions: tuple[str, ...]
    gap: Optional[int]
    """The longest time between two of them; None where cron expressions alone decide."""
    missed_targets: tuple[MissedTarget, ...] = ()


def ticks(tables: Iterable[ScheduledTable], now: int, finest: int = MINUTE) -> Ticks:
    """`finest`: the shortest time between two ticks that the scheduler knows."""
    known = tuple(tables)
    steps = [(gap, text) for gap, text in STEPS if gap >= finest]
    single = [(table, part) for table in known for part in members(table.schedule)]
    missed_targets = tuple(
        MissedTarget(table, part, smallest_met(finest, run_times(table, part, known)))
        for table, part in single
        if isinstance(part, TargetLag) and not is_met(part, finest, run_times(table, part, known))
    )
    lost = {one.table.name for one in missed_targets}
    regular = next((step for step in steps if all(_fits(step[0], *one, known, lost) for one in single)), steps[-1])
    asked = any(isinstance(part, (TargetLag, OnUpdate)) for _, part in single)
    found: list[str] = [regular[1]] if asked else []
    for slots in sorted({part for _, part in single if isinstance(part, (Every, Cron))}, key=str):
        gap = regular[0] if asked else None
        if not any(_covers(tick, slots, now) for tick in found) and not _often_enough(slots, gap):
            found.append(_own(slots, now, steps))
    return Ticks(tuple(dict.fromkeys(found)) or (USUAL,), regular[0] if asked else None, missed_targets)


def tightest(schedules: Sequence[Schedule], now: int) -> Optional[int]:
    """The place of the schedule that asks for the freshest rows; None where none asks for any."""
    targets = [(target, place) for place, one in enumerate(schedules) if (target := one.target(now)) is not None]
    return min(targets)[1] if targets else None


def run_times(table: ScheduledTable, target: TargetLag, tables: Iterable[ScheduledTable]) -> RunTimes:
    """What is known of the runs that refresh a table, and of those that come between its slots."""
    others = [one for one in tables if one is not table]
    own = _takes(table)
    between = [_takes(one) + ENDING for one in others if _comes_between(one.schedule, target)]
    return RunTimes(own, max([own, *map(_takes, others)]) + ENDING, max(between, default=0))


def _takes(table: ScheduledTable) -> int:
    return ASSUMED if table.takes is None else table.takes


def _comes_between(schedule: Schedule, target: TargetLag) -> bool:
    """Whether it is due at instants that are no slots of the target's."""
    return not all(isinstance(part, TargetLag) and part.period >= target.period for part in members(schedule))


def _fits(
    gap: int,
    table: ScheduledTable,
    part: Union[TargetLag, Every, Cron, OnUpdate, EveryRun],
    tables: Sequence[ScheduledTable],
    lost: set[str],
) -> bool:
    match part:
        case TargetLag() if gap > max(part.duration // WAITING, MINUTE):
            return False
        case TargetLag() if table.name in lost:
            # As good as it gets without the runs of others; where that is not enough either, nothing is.
            return is_met(part, gap, RunTimes(_takes(table), _takes(table) + ENDING))
        case TargetLag():
            return is_met(part, gap, run_times(table, part, tables))
        case OnUpdate():
            return gap <= part.at_most_every
        case _:
            return True


def _often_enough(slots: Union[Every, Cron], gap: Optional[int]) -> bool:
    """Whether evenly spaced ticks come in every stretch of a duration that no step divides well."""
    return isinstance(slots, Every) and gap is not None and 2 * gap <= slots.duration and _step(slots, STEPS) is None


def _step(every: Every, steps: Sequence[tuple[int, str]]) -> Optional[str]:
    return next(
        (text for gap, text in steps if every.duration % gap == 0 and gap * FEW >= min(every.duration, HOUR)), None
    )


def _own(slots: Union[Every, Cron], now: int, steps: Sequence[tuple[int, str]]) -> str:
    if isinstance(slots, Cron):
        return _in_utc(slots, now)
    exact = _step(slots, steps)
    if exact is not None and _covers(exact, slots, now):
        return exact
    if slots.zone != "UTC" and slots.duration >= HOUR:
        return _in_utc(slots, now)
    return next((text for gap, text in steps if 2 * gap <= slots.duration), steps[-1][1])


def _slots(schedule: Union[Every, Cron], now: int) -> list[int]:
    found: list[int] = []
    slot = schedule.next(now)
    while slot is not None and len(found) < SAMPLED:
        found.append(slot)
        slot = schedule.next(slot)
    return found


def _covers(tick: str, schedule: Union[Every, Cron], now: int) -> bool:
    """Whether the tick comes at the schedule's slots, as far as one looks ahead."""
    return all(first_after(tick, "UTC", slot - 1) == slot for slot in _slots(schedule, now))


def _in_utc(schedule: Union[Every, Cron], now: int) -> str:
    """The expression itself where it reads the same in UTC; elsewhere every hour, at the minutes it has in UTC.

    The hour in UTC moves with the seasons, and a tick too many is cheap. Schedulers count minutes: seconds are dropped.
    """
    if isinstance(schedule, Cron) and schedule.zone == "UTC":
        fields = schedule.expression.split()[-5:]
        return " ".join("*" if OURS_ALONE.search(field) else field for field in fields)
    minutes = sorted({slot // MINUTE % 60 for slot in _slots(schedule, now)})
    return "* * * * *" if len(minutes) == 60 else f"{','.join(str(minute) for minute in minutes)} * * * *"
