"""From samples to medians, ratios and verdicts. Arithmetic only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.meter import Spent

NEVER_WORSE = 1.1
"""What auto may take, in FULL's: the promise is `never worse than recompute`, the tenth is for planning and noise."""

CLEARLY_BETTER = 2.0
"""How many times faster than FULL maintaining the big aggregate must be."""


@dataclass(frozen=True)
class Ratio:
    """One way's median over another's."""

    wall: float
    cpu: float

    @property
    def worst(self) -> float:
        return max(self.wall, self.cpu)

    @property
    def least(self) -> float:
        return min(self.wall, self.cpu)


def medians(spent: Sequence[Spent]) -> Spent:
    """Wall and CPU each by itself: noise strikes them differently."""
    return Spent(median(one.wall for one in spent), median(one.cpu for one in spent))


def ratio(one: Spent, other: Spent) -> Ratio:
    """How much `one` takes of what `other` takes."""
    return Ratio(_divided(one.wall, other.wall), _divided(one.cpu, other.cpu))


def _divided(one: float, other: float) -> float:
    return one / other if other else float("inf")


def never_worse(by_way: Mapping[str, Spent]) -> bool:
    """Whether auto keeps its promise."""
    return ratio(by_way["auto"], by_way["full"]).worst <= NEVER_WORSE


def clearly_better(by_way: Mapping[str, Spent]) -> bool:
    """Whether maintaining is worth it where it must be."""
    return ratio(by_way["full"], by_way["incremental"]).least >= CLEARLY_BETTER
