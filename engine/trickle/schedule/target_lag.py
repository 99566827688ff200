"""A target lag: the table is never older than a duration. Its slots are shared by all tables of a DAG."""

from __future__ import annotations

from dataclasses import dataclass

from trickle.schedule.duration import MINUTE, SECOND, show_duration

CANONICAL = 48 * SECOND


def canonical_period(limit: int) -> int:
    """The longest of …, 24, 48, 96, 192, … seconds not longer than `limit`. Each divides the next, so tables of one DAG
    are due together whatever their targets are."""
    period = CANONICAL
    while period * 2 <= limit:
        period *= 2
    while period > limit:
        period //= 2
    return period


@dataclass(frozen=True)
class TargetLag:
    """Never older than `duration`. Slots: the multiples of the period, each put off to the next whole minute.

    The age of rows grows from the start of the run that read them until the end of the next one: the gap between slots,
    the wait for a tick and the run time must together stay below the target. The period takes at most half of it. A
    shorter one would not help: runs follow each other, so with a run longer than half of the target, rows get older
    than the target at any period. The period depends on the target alone, so that a slow run does not move the slots.

    Schedulers fire on whole minutes. With slots there too, a run has the same slot however late in its minute it
    starts. Slots less than a minute apart are not rounded: they are the multiples themselves.
    """

    duration: int

    @property
    def period(self) -> int:
        return canonical_period(max(self.duration // 2, 1))

    @property
    def grid(self) -> int:
        return MINUTE if self.period >= CANONICAL else 1

    @property
    def longest_gap(self) -> int:
        """The longest time from one slot to the next."""
        return -(-self.period // self.grid) * self.grid

    def newest(self, instant: int) -> int:
        return self._slot(self._index(instant))

    def next(self, instant: int) -> int:
        return self._slot(self._index(instant) + 1)

    def target(self, instant: int) -> int:
        """The greatest age of the data."""
        return self.duration

    def __str__(self) -> str:
        return f"target lag {show_duration(self.duration)}"

    def _index(self, instant: int) -> int:
        return instant // self.grid * self.grid // self.period

    def _slot(self, index: int) -> int:
        return -(-index * self.period // self.grid) * self.grid
