"""One refresh in each period of the clock: every hour, every day, every week, in a time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from trickle.schedule.cron import EPOCH
from trickle.schedule.duration import DAY, HOUR, show_duration

MONDAY = 4 * DAY
"""1970-01-05, the first Monday: the origin of the grid of every duration, so that weeks begin on Mondays."""

THIS_CENTURY = 20_454 * DAY
"""2026-01-01: in the last century, offsets had other minutes."""


@dataclass(frozen=True)
class Every:
    """Once in each `duration`. Slots: its multiples on the clock of a zone, from a Monday's midnight.

    Up to an hour they follow elapsed time; longer ones the wall clock, so that a day begins at midnight in summer and
    in winter. A slot in an hour that is skipped moves to its end; one in an hour that is repeated occurs once.
    """

    duration: int
    zone: str = "UTC"

    def newest(self, instant: int) -> int:
        index = self._index(instant) + 1
        while self._slot(index) > instant:
            index -= 1
        return self._slot(index)

    def next(self, instant: int) -> int:
        index = self._index(instant) - 1
        while self._slot(index) <= instant:
            index += 1
        return self._slot(index)

    def target(self, instant: int) -> int:
        return self.duration

    def divides(self, other: Every) -> bool:
        """Whether each slot of the other is one of these."""
        return self.zone == other.zone and other.duration % self.duration == 0

    def __str__(self) -> str:
        zone = "" if self.zone == "UTC" or self.duration <= HOUR else f" ({self.zone})"
        return f"every {show_duration(self.duration)}{zone}"

    @property
    def _follows_wall_clock(self) -> bool:
        return self.duration > HOUR and self.zone != "UTC"

    def _index(self, instant: int) -> int:
        wall_clock = instant + (
            _offset(self.zone, instant) if self._follows_wall_clock else _offset_past_hour(self.zone)
        )
        return (wall_clock - MONDAY) // self.duration

    def _slot(self, index: int) -> int:
        wall_clock = MONDAY + index * self.duration
        return (
            _instant_of(self.zone, wall_clock)
            if self._follows_wall_clock
            else wall_clock - _offset_past_hour(self.zone)
        )


@lru_cache(maxsize=4096)
def _offset(zone: str, instant: int) -> int:
    """By how much the zone's clock is ahead of UTC."""
    ahead = (EPOCH + timedelta(milliseconds=instant)).astimezone(ZoneInfo(zone)).utcoffset() or timedelta()
    return round(ahead / timedelta(milliseconds=1))


@lru_cache(maxsize=64)
def _offset_past_hour(zone: str) -> int:
    """The part of the zone's offset beyond whole hours; 0 in most zones."""
    return 0 if zone == "UTC" else _offset(zone, THIS_CENTURY) % HOUR


def _instant_of(zone: str, wall_clock: int) -> int:
    """The first instant at which the clock shows this time, or a later time where it is skipped."""
    # With the offset before and after the nearest clock change; equal where there is none.
    before, after = (wall_clock - _offset(zone, wall_clock + days) for days in (-DAY, DAY))
    candidates = [instant for instant in (before, after) if instant + _offset(zone, instant) == wall_clock]
    if candidates:
        return min(candidates)
    # Skipped: the change itself lies between the two candidates.
    low, high = min(before, after), max(before, after)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle + _offset(zone, middle) < wall_clock else (low, middle)
    return high
