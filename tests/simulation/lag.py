"""The lag of rows under target lags, with run times: the output of `python -m tests.simulation`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.schedule.clockwork import greatest_age, refreshes, starts
from trickle.schedule.target_lag import TargetLag
from trickle.schedule.ticks import ScheduledTable, ticks

SECOND, MINUTE = 1_000, 60_000
START = 1_767_225_600_000
"""2026-01-01 00:00 UTC in milliseconds."""

TARGETS = range(2, 24 * 60 + 1)
"""Minutes; one minute no scheduler of minutes keeps."""

RUNS = (10 * SECOND, 30 * SECOND, 60 * SECOND, 5 * MINUTE)
"""The longest a refresh takes, from the start of its run; the shortest takes half."""

ROUNDS = 6
"""So many times its duration each target is watched."""


@dataclass(frozen=True)
class Measured:
    """All targets with runs of one length."""

    longest: int
    targets: int
    kept: int
    refused: int
    """Targets that `dbt-trickle cron` says cannot be kept with such runs."""
    worst: float
    """The oldest rows under a target that was not refused, as a part of it."""

    @property
    def share(self) -> float:
        return self.kept / self.targets


def measured(longest: int, targets: range = TARGETS) -> Measured:
    parts: list[float] = []
    refused = 0
    for minutes in targets:
        target = TargetLag(minutes * MINUTE)
        told = ticks([ScheduledTable("t", target, longest)], START)
        if told.missed_targets:
            refused += 1
            continue
        assert told.gap is not None
        random = Random(minutes)
        until = START + ROUNDS * max(target.duration, told.gap, longest)
        done = refreshes(target, starts(random, START, told.gap, True), until, random, longest)
        parts.append(greatest_age(done) / target.duration)
    return Measured(longest, len(parts), sum(part < 1 for part in parts), refused, max(parts))


def lag_table(_: str = "") -> str:
    """The table in docs/schedules.md."""
    return "\n".join([*lines(), ""])


def lines(targets: range = TARGETS) -> Iterator[str]:
    """A table in Markdown."""
    yield "| a refresh takes up to | targets kept | oldest rows, as a part of the target | refused by `cron` |"
    yield "|---|---|---|---|"
    for longest in RUNS:
        found = measured(longest, targets)
        yield f"| {longest // SECOND} s | {found.share:.1%} of {found.targets} | {found.worst:.0%} | {found.refused} |"
