"""One refresh in each stretch of the clock: every hour, every day, every week, in a time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from trickle.schedule.cron import EPOCH
from trickle.schedule.duration import DAY, HOUR, show_duration

MONDAY = 4 * DAY
"""1970-01-05, the first Monday: where the grid of every duration begins, so that weeks begin on Mondays."""

THIS_CENTURY = 20_454 * DAY
"""2026-01-01: offsets of the last century had other minutes."""


@dataclass(frozen=True)
class Every:
    """Once in each `duration`, and no more. Slots: its multiples on the clock of a zone, from a Monday's midnight.

    Up to an hour they go by real time; longer ones by the hands of the clock, so that a day begins at midnight in
    summer and in winter. A slot in an hour that is left out comes right after it, one in an hour that comes twice comes
    once.
    """

    duration: int
    zone: str = "UTC"

    def newest(self, instant: int) -> int:
        place = self._place(instant) + 1
        while self._slot(place) > instant:
            place -= 1
        return self._slot(place)

    def next(self, instant: int) -> int:
        place = self._place(instant) - 1
        while self._slot(place) <= instant:
            place += 1
        return self._slot(place)

    def target(self, instant: int) -> int:
        return self.duration

    def meets(self, other: Every) -> bool:
        """Whether each slot of the other is one of these."""
        return self.zone == other.zone and other.duration % self.duration == 0

    def __str__(self) -> str:
        zone = "" if self.zone == "UTC" or self.duration <= HOUR else f" ({self.zone})"
        return f"every {show_duration(self.duration)}{zone}"

    @property
    def _goes_by_hands(self) -> bool:
        return self.duration > HOUR and self.zone != "UTC"

    def _place(self, instant: int) -> int:
        shown = instant + (_offset(self.zone, instant) if self._goes_by_hands else _past_the_hour(self.zone))
        return (shown - MONDAY) // self.duration

    def _slot(self, place: int) -> int:
        shown = MONDAY + place * self.duration
        return _instant_of(self.zone, shown) if self._goes_by_hands else shown - _past_the_hour(self.zone)


@lru_cache(maxsize=4096)
def _offset(zone: str, instant: int) -> int:
    """By how much the zone's clock is ahead of UTC."""
    ahead = (EPOCH + timedelta(milliseconds=instant)).astimezone(ZoneInfo(zone)).utcoffset() or timedelta()
    return round(ahead / timedelta(milliseconds=1))


@lru_cache(maxsize=64)
def _past_the_hour(zone: str) -> int:
    """The part of the zone's offset that is no whole hour; nothing in most zones."""
    return 0 if zone == "UTC" else _offset(zone, THIS_CENTURY) % HOUR


def _instant_of(zone: str, shown: int) -> int:
    """When the clock first shows this, or first shows more where it leaves this out."""
    # Before and after the nearest change of the clock; where both agree there is none.
    before, after = (shown - _offset(zone, shown + days) for days in (-DAY, DAY))
    found = [one for one in (before, after) if one + _offset(zone, one) == shown]
    if found:
        return min(found)
    # Left out: the change itself lies between the two readings of it.
    low, high = min(before, after), max(before, after)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle + _offset(zone, middle) < shown else (low, middle)
    return high
