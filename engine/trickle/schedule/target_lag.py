"""A target lag: a table that is never older than a duration, refreshed at slots that all tables of a DAG share."""

from __future__ import annotations

from dataclasses import dataclass

from trickle.schedule.duration import MINUTE, SECOND, show_duration

CANONICAL = 48 * SECOND


def canonical_period(limit: int) -> int:
    """The longest of …, 24, 48, 96, 192, … seconds that is no longer than `limit`. Each divides the next, so tables of
    one DAG are due together whatever their targets are."""
    period = CANONICAL
    while period * 2 <= limit:
        period *= 2
    while period > limit:
        period //= 2
    return period


@dataclass(frozen=True)
class TargetLag:
    """Never older than `duration`. Slots: the multiples of the period, each put off to the next whole minute.

    Rows grow old from the start of the run that read them until the end of the next one: slots apart, wait for a tick
    and run time must together stay below the target. The period takes at most half. A shorter one would help nobody:
    runs follow each other, so a run longer than half of the target makes rows older than the target at any period.
    It hangs on the target alone, so that no slow run moves the slots.

    Schedulers fire on whole minutes. With slots there too, a run belongs to the same slot however late in its minute it
    starts. Where slots are less than a minute apart there is no such grid, and they are the multiples themselves.
    """

    duration: int

    @property
    def period(self) -> int:
        return canonical_period(max(self.duration // 2, 1))

    @property
    def grid(self) -> int:
        return MINUTE if self.period >= CANONICAL else 1

    @property
    def apart(self) -> int:
        """The longest time from one slot to the next."""
        return -(-self.period // self.grid) * self.grid

    def newest(self, instant: int) -> int:
        return self._slot(self._place(instant))

    def next(self, instant: int) -> int:
        return self._slot(self._place(instant) + 1)

    def target(self, instant: int) -> int:
        """How old the data may become."""
        return self.duration

    def __str__(self) -> str:
        return f"target lag {show_duration(self.duration)}"

    def _place(self, instant: int) -> int:
        return instant // self.grid * self.grid // self.period

    def _slot(self, place: int) -> int:
        return -(-place * self.period // self.grid) * self.grid
