"""How often dbt must be started so that every schedule of a project is met: cron expressions for schedulers.

A run with nothing due costs little, so there may be too many ticks but not too few.
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
"""The default where no table has a schedule, so that every run refreshes every table."""

MINUTES = (30, 20, 15, 12, 10, 6, 5, 4, 3, 2)
HOURS = (12, 8, 6, 4, 3, 2)
EVEN_STEPS = (
    (DAY, "0 0 * * *"),
    *((hours * HOUR, f"0 */{hours} * * *") for hours in HOURS),
    (HOUR, "0 * * * *"),
    *((minutes * MINUTE, f"*/{minutes} * * * *") for minutes in MINUTES),
    (MINUTE, "* * * * *"),
)
"""Gap and expression of the evenly spaced ticks that every scheduler supports, the longest first."""

CRON_EXTENSIONS = re.compile(r"#|^LW?$|^\d+L$")
"""The last day of a month and the first Monday in it: few schedulers support them, so every day is used instead."""

SAMPLED_SLOTS = 60
"""Slots compared to decide whether one expression covers another."""

WAIT_PART = 4
"""Ticks come at least every 1/WAIT_PART of a target: slots take half of it, and a run the rest."""

SHORTEST_STEP_PART = 4
"""A gap shorter than 1/SHORTEST_STEP_PART of a duration ticks too often."""


@dataclass(frozen=True)
class ScheduledTable:
    """A stream table with its schedule and its measured run time."""

    name: str
    schedule: Schedule
    takes: Optional[int] = None
    """Milliseconds from the start of a run until the table is written; None: not measured."""


@dataclass(frozen=True)
class MissedTarget:
    """A target lag that is not met at the finest ticks of the scheduler."""

    table: ScheduledTable
    target: TargetLag
    smallest: Optional[TargetLag]
    """The smallest target that would be met."""


@dataclass(frozen=True)
class Ticks:
    """Cron expressions in UTC, at least one, whose instants together meet every schedule that can be met."""

    expressions: tuple[str, ...]
    gap: Optional[int]
    """The longest time between two ticks; None where no target lag or update limits it."""
    missed_targets: tuple[MissedTarget, ...] = ()


def ticks(tables: Iterable[ScheduledTable], now: int, finest: int = MINUTE) -> Ticks:
    """The ticks for some tables. `finest`: the shortest time between two ticks that the scheduler supports."""
    all_tables = tuple(tables)
    steps = [(gap, text) for gap, text in EVEN_STEPS if gap >= finest]
    parts = [(table, part) for table in all_tables for part in members(table.schedule)]
    missed_targets = tuple(
        MissedTarget(table, part, smallest_met(finest, run_times(table, part, all_tables)))
        for table, part in parts
        if isinstance(part, TargetLag) and not is_met(part, finest, run_times(table, part, all_tables))
    )
    missed = {missed_target.table.name for missed_target in missed_targets}
    regular = next(
        (step for step in steps if all(_fits(step[0], *table_part, all_tables, missed) for table_part in parts)),
        steps[-1],
    )
    needs_even_ticks = any(isinstance(part, (TargetLag, OnUpdate)) for _, part in parts)
    expressions: list[str] = [regular[1]] if needs_even_ticks else []
    for slots in sorted({part for _, part in parts if isinstance(part, (Every, Cron))}, key=str):
        gap = regular[0] if needs_even_ticks else None
        if not any(_covers(tick, slots, now) for tick in expressions) and not _often_enough(slots, gap):
            expressions.append(_own_expression(slots, now, steps))
    return Ticks(
        tuple(dict.fromkeys(expressions)) or (USUAL,), regular[0] if needs_even_ticks else None, missed_targets
    )


def tightest(schedules: Sequence[Schedule], now: int) -> Optional[int]:
    """The index of the schedule with the smallest target; None where none has a target."""
    targets = [
        (target, index) for index, schedule in enumerate(schedules) if (target := schedule.target(now)) is not None
    ]
    return min(targets)[1] if targets else None


def run_times(table: ScheduledTable, target: TargetLag, tables: Iterable[ScheduledTable]) -> RunTimes:
    """The durations of the runs that refresh a table, and of those between its slots."""
    others = [other for other in tables if other is not table]
    own = _takes(table)
    between = [_takes(other) + ENDING for other in others if _comes_between(other.schedule, target)]
    return RunTimes(own, max([own, *map(_takes, others)]) + ENDING, max(between, default=0))


def _takes(table: ScheduledTable) -> int:
    return ASSUMED if table.takes is None else table.takes


def _comes_between(schedule: Schedule, target: TargetLag) -> bool:
    """Whether a schedule has slots that are not slots of the target."""
    return not all(isinstance(part, TargetLag) and part.period >= target.period for part in members(schedule))


def _fits(
    gap: int,
    table: ScheduledTable,
    part: Union[TargetLag, Every, Cron, OnUpdate, EveryRun],
    tables: Sequence[ScheduledTable],
    missed: set[str],
) -> bool:
    match part:
        case TargetLag() if gap > max(part.duration // WAIT_PART, MINUTE):
            return False
        case TargetLag() if table.name in missed:
            # The runs of other tables are ignored: with them, no tick meets this target.
            return is_met(part, gap, RunTimes(_takes(table), _takes(table) + ENDING))
        case TargetLag():
            return is_met(part, gap, run_times(table, part, tables))
        case OnUpdate():
            return gap <= part.at_most_every
        case _:
            return True


def _often_enough(slots: Union[Every, Cron], gap: Optional[int]) -> bool:
    """Whether the even ticks serve an `every` whose duration no gap of EVEN_STEPS divides."""
    return (
        isinstance(slots, Every) and gap is not None and 2 * gap <= slots.duration and _step(slots, EVEN_STEPS) is None
    )


def _step(every: Every, steps: Sequence[tuple[int, str]]) -> Optional[str]:
    return next(
        (
            text
            for gap, text in steps
            if every.duration % gap == 0 and gap * SHORTEST_STEP_PART >= min(every.duration, HOUR)
        ),
        None,
    )


def _own_expression(slots: Union[Every, Cron], now: int, steps: Sequence[tuple[int, str]]) -> str:
    if isinstance(slots, Cron):
        return _in_utc(slots, now)
    exact = _step(slots, steps)
    if exact is not None and _covers(exact, slots, now):
        return exact
    if slots.zone != "UTC" and slots.duration >= HOUR:
        return _in_utc(slots, now)
    return next((text for gap, text in steps if 2 * gap <= slots.duration), steps[-1][1])


def _slots(schedule: Union[Every, Cron], now: int) -> list[int]:
    slots: list[int] = []
    slot = schedule.next(now)
    while slot is not None and len(slots) < SAMPLED_SLOTS:
        slots.append(slot)
        slot = schedule.next(slot)
    return slots


def _covers(tick: str, schedule: Union[Every, Cron], now: int) -> bool:
    """Whether the tick fires at each of the schedule's next SAMPLED_SLOTS slots."""
    return all(first_after(tick, "UTC", slot - 1) == slot for slot in _slots(schedule, now))


def _in_utc(schedule: Union[Every, Cron], now: int) -> str:
    """The expression itself where its zone is UTC; otherwise every hour, at the minutes it has in UTC.

    The hour in UTC changes with the seasons, and extra ticks are cheap. Schedulers count minutes: seconds are dropped.
    """
    if isinstance(schedule, Cron) and schedule.zone == "UTC":
        fields = schedule.expression.split()[-5:]
        return " ".join("*" if CRON_EXTENSIONS.search(field) else field for field in fields)
    minutes = sorted({slot // MINUTE % 60 for slot in _slots(schedule, now)})
    return "* * * * *" if len(minutes) == 60 else f"{','.join(str(minute) for minute in minutes)} * * * *"
