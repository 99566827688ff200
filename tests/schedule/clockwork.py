"""A scheduler, runs that take their time, and how old the rows of one table become: on a simulated clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from trickle.schedule.due import judge_due
from trickle.schedule.duration import SECOND
from trickle.schedule.slots import Schedule

EARLY, LATE = -2 * SECOND, 18 * SECOND
"""By how much a run starts before or after its tick."""


@dataclass(frozen=True)
class Refresh:
    """One refresh of the table: its rows are those of `began`, and are shown from `ended` on."""

    began: int
    ended: int


def starts(random: Random, start: int, gap: int, jitter: bool) -> Iterator[int]:
    """Ticks without end."""
    tick = start
    while True:
        yield tick + (random.randint(EARLY, LATE) if jitter else 0)
        tick += gap


def refreshes(
    schedule: Schedule, ticks: Iterator[int], until: int, random: Random, longest: int, others: int = 0
) -> list[Refresh]:
    """What a scheduler makes of a schedule: a tick that finds a run going on is left out.

    A refresh takes up to `longest`; a run in which the table is not due takes up to `others`.
    """
    found: list[Refresh] = []
    last = None
    free = 0
    for tick in ticks:
        if tick > until:
            return found
        if tick < free:
            continue
        if judge_due(schedule, last, tick).due:
            last = tick
            found.append(Refresh(tick, tick + random.randint(longest // 2, longest)))
            free = found[-1].ended + 2 * SECOND
        else:
            free = tick + others
    raise AssertionError("ticks never end")


def greatest_age(found: list[Refresh]) -> int:
    """Just before a refresh ends, the rows that it replaces are as old as they become."""
    return max(after.ended - before.began for before, after in pairwise(found))
