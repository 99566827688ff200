"""Whether a table is due: the slot a run takes, compared with the slot the last refresh took, not the elapsed time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from trickle.schedule.duration import DAY, SECOND
from trickle.schedule.slots import EveryRun, Schedule

EARLY = 10 * SECOND
"""A run may start this long before a slot and still take it. Slots are at whole minutes, so a run may also be late by
the rest of the minute, fifty seconds, before it would take another slot."""

WRONG_CLOCK = DAY
"""A last refresh further in the future than this was stamped by a wrong clock, and does not delay the next one."""


@dataclass(frozen=True)
class Due:
    """Whether a table is due, why, and when next."""

    due: bool
    why: str
    """`slot`, `every_run`, `never_refreshed`, `changed`, `needed`, `not_due`, `wrong_clock`."""
    slot: Optional[int] = None
    """The slot of this run, whether or not an earlier run took it."""
    next_slot: Optional[int] = None
    needed_by: str = ""
    """The due table that reads this one, for `needed`."""


def slot_taken(schedule: Schedule, tick: int) -> Optional[int]:
    """The newest slot not later than `tick`, or the next when it is at most EARLY away."""
    before, after = schedule.newest(tick), schedule.next(tick)
    if after is None:
        return before
    early = EARLY if before is None else min(EARLY, (after - before) // 4)
    return after if after - tick <= early else before


def judge_due(schedule: Schedule, last: Optional[int], tick: int) -> Due:
    """Whether a table is due. `last`: start of the run that refreshed it last (None: never); `tick`: of this run."""
    if isinstance(schedule, EveryRun):
        return Due(True, "every_run", tick)
    slot = slot_taken(schedule, tick)
    after = schedule.next(max(tick, slot)) if slot is not None else schedule.next(tick)
    if last is None:
        return Due(True, "never_refreshed", slot, after)
    if last > tick + WRONG_CLOCK:
        return Due(True, "wrong_clock", slot, after)
    taken = slot_taken(schedule, last)
    if slot is not None and (taken is None or slot > taken):
        return Due(True, "slot", slot, after)
    return Due(False, "not_due", slot, after)
