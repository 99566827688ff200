"""Whether a target lag is met with given ticks and run times, and the smallest that is.

The greatest age of a table's rows: from the start of the run that read them to the end of the next refresh.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from trickle.schedule.duration import MINUTE, SECOND
from trickle.schedule.target_lag import TargetLag

ASSUMED = 30 * SECOND
"""Assumed time from the start of a run to the end of a refresh, where it is not measured."""

ENDING = 5 * SECOND
"""From the last refresh of a run until the next run can begin."""

LATE = 20 * SECOND
"""How late a run may start after its tick."""

LONGEST = 366 * 24 * 60
"""Minutes: the largest target that is tried."""


@dataclass(frozen=True)
class RunTimes:
    """Durations of runs, in milliseconds from their start."""

    own: int = ASSUMED
    """Until the table in question is written."""
    whole: int = ASSUMED + ENDING
    """Until the next run can begin."""
    between: int = 0
    """The same for runs between the table's slots, for other tables; 0 when there are none."""


def oldest(schedule: TargetLag, gap: int, runs: RunTimes) -> int:
    """The greatest age of rows when a tick starts dbt every `gap`. A tick during a run is skipped."""
    # A slot on a whole minute is taken by a tick of that minute; the wait is at most the gap less that minute.
    wait = _occupied(runs.between, gap) - (MINUTE if schedule.grid == MINUTE else 0)
    return max(schedule.longest_gap + wait, _occupied(runs.whole, gap)) + runs.own + LATE


def is_met(schedule: TargetLag, gap: int, runs: RunTimes) -> bool:
    return oldest(schedule, gap, runs) < schedule.duration


def smallest_met(gap: int, runs: RunTimes) -> Optional[TargetLag]:
    """The smallest target in whole minutes that is met; None when runs take longer than a year."""
    # The search ends at about twice the gap and the run time.
    for minutes in range(1, LONGEST):
        if is_met(TargetLag(minutes * MINUTE), gap, runs):
            return TargetLag(minutes * MINUTE)
    return None


def _occupied(run: int, gap: int) -> int:
    """From the tick that starts a run to the next tick after its end."""
    return gap * ((run + LATE if run else 0) // gap + 1)
