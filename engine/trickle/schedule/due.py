"""Whether a table is due: the slot a run takes, against the slot the last refresh took. Elapsed time plays no part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from trickle.schedule.duration import DAY, SECOND
from trickle.schedule.slots import EveryRun, Schedule

EARLY = 10 * SECOND
"""A run may start this long before a slot and still take it. Slots lie on whole minutes, so a run may also be late by
the rest of the minute, fifty seconds, before it could take another than was meant."""

WRONG_CLOCK = DAY
"""A last refresh further in the future than this was stamped by a clock that was wrong: no reason to wait for it."""


@dataclass(frozen=True)
class Due:
    """Whether, why, and when next."""

    due: bool
    why: str
    """`slot`, `every_run`, `never_refreshed`, `changed`, `needed`, `not_due`, `wrong_clock`."""
    slot: Optional[int] = None
    """The slot this run takes or has found taken."""
    next_slot: Optional[int] = None
    needed_by: str = ""
    """The due table that reads this one, for `needed`."""


def slot_taken(schedule: Schedule, tick: int) -> Optional[int]:
    """The newest slot that has come at `tick`, or the next when it is about to come."""
    before, after = schedule.newest(tick), schedule.next(tick)
    if after is None:
        return before
    early = EARLY if before is None else min(EARLY, (after - before) // 4)
    return after if after - tick <= early else before


def judge_due(schedule: Schedule, last: Optional[int], tick: int) -> Due:
    """`last` and `tick` are when the runs of the last refresh and of this one started; None: never refreshed."""
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
