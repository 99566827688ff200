"""Whether ticks and run times leave room for a target lag, and which is the smallest that they leave room for.

Between two refreshes the rows of a table grow as old as: from the start of the run that read them to the start of the
next run that refreshes, and on to the end of that refresh.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from trickle.schedule.duration import MINUTE, SECOND
from trickle.schedule.target_lag import TargetLag

ASSUMED = 30 * SECOND
"""What a refresh takes, from the start of its run, as long as nobody has measured it."""

ENDING = 5 * SECOND
"""From the last refresh of a run until another run can begin."""

LATE = 20 * SECOND
"""By how much the starts of runs may differ from the ticks they belong to."""

LONGEST = 366 * 24 * 60
"""Minutes: no smaller target is looked for beyond this."""


@dataclass(frozen=True)
class RunTimes:
    """How long runs take, in milliseconds from their start."""

    own: int = ASSUMED
    """Until the table in question is written."""
    whole: int = ASSUMED + ENDING
    """Until the next run can begin."""
    between: int = 0
    """The same of runs that come between the table's slots, for the sake of other tables; 0 when none does."""


def oldest(schedule: TargetLag, gap: int, runs: RunTimes) -> int:
    """How old rows become, at most, when something starts dbt every `gap`. A tick is left out while a run goes on."""
    # A slot on a whole minute is met by a tick of that minute; it waits for the gap less that minute at most.
    wait = _occupied(runs.between, gap) - (MINUTE if schedule.grid == MINUTE else 0)
    return max(schedule.apart + wait, _occupied(runs.whole, gap)) + runs.own + LATE


def is_met(schedule: TargetLag, gap: int, runs: RunTimes) -> bool:
    return oldest(schedule, gap, runs) < schedule.duration


def smallest_met(gap: int, runs: RunTimes) -> Optional[TargetLag]:
    """The smallest target in whole minutes that is kept; None when runs take longer than a year."""
    # Twice the ticks and the run time is where the search must end, give or take a power of two.
    for minutes in range(1, LONGEST):
        if is_met(TargetLag(minutes * MINUTE), gap, runs):
            return TargetLag(minutes * MINUTE)
    return None


def _occupied(run: int, gap: int) -> int:
    """From a tick that starts a run to the next tick that finds it ended."""
    return gap * ((run + LATE if run else 0) // gap + 1)
