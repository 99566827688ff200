"""From samples to medians, ratios and verdicts. Arithmetic only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.meter import Spent

NEVER_WORSE = 1.1
"""The largest ratio of auto to FULL: `never worse than recompute`, plus a tenth for planning and noise."""

CLEARLY_BETTER = 2.0
"""How many times faster than FULL maintaining the big aggregate must be."""


@dataclass(frozen=True)
class Ratio:
    """The median of one approach divided by that of another."""

    wall: float
    cpu: float

    @property
    def worst(self) -> float:
        return max(self.wall, self.cpu)

    @property
    def least(self) -> float:
        return min(self.wall, self.cpu)


def medians(spent: Sequence[Spent]) -> Spent:
    """The medians of wall and CPU, each by itself: noise affects them differently."""
    return Spent(median(sample.wall for sample in spent), median(sample.cpu for sample in spent))


def ratio(dividend: Spent, divisor: Spent) -> Ratio:
    """The time of `dividend` divided by that of `divisor`."""
    return Ratio(_divided(dividend.wall, divisor.wall), _divided(dividend.cpu, divisor.cpu))


def _divided(dividend: float, divisor: float) -> float:
    return dividend / divisor if divisor else float("inf")


def never_worse(by_approach: Mapping[str, Spent]) -> bool:
    """Whether auto is never worse than FULL."""
    return ratio(by_approach["auto"], by_approach["full"]).worst <= NEVER_WORSE


def clearly_better(by_approach: Mapping[str, Spent]) -> bool:
    """Whether maintaining is clearly faster than FULL."""
    return ratio(by_approach["full"], by_approach["incremental"]).least >= CLEARLY_BETTER
