"""Interleaved rounds: every approach refreshes after the same change before the next change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from benchmarks.approaches import CREATE, Approach, Outcome, all_approaches
from benchmarks.cells import Cell
from benchmarks.meter import Meter, Spent
from benchmarks.sources import Sources
from benchmarks.workspace import Workspace

T = TypeVar("T")
Report = Callable[[str], None]


@dataclass(frozen=True)
class Sample:
    """One refresh of one approach."""

    cell: str
    rows: int
    approach: str
    round_number: int
    spent: Spent
    outcome: Outcome


@dataclass(frozen=True)
class Bench:
    """A cell at a size, with its approaches."""

    cell: Cell
    sources: Sources
    approaches: tuple[Approach, ...]


def rotated(items: Sequence[T], by: int) -> list[T]:
    """The items with another first one in every round: the first pays for cold caches and background work of others."""
    start = by % len(items) if items else 0
    return [*items[start:], *items[:start]]


def benches(workspace: Workspace, cells: Sequence[Cell], sources: Sources) -> list[Bench]:
    return [Bench(cell, sources, all_approaches(workspace, sources, cell)) for cell in cells]


def run_rounds(
    workspace: Workspace, every: Sequence[Bench], numbers: range, unmeasured: int, deadline: float, report: Report
) -> Iterator[Sample]:
    """Build every target in round 0, change and refresh in all others; rounds after `unmeasured` are measured.

    A process needs one warm-up round, in which Java compiles its code. Nothing is started after the deadline (monotonic
    seconds); the report then lacks the remaining samples.
    """
    meter = Meter(workspace.java)
    sources = every[0].sources
    if 0 in numbers:
        sources.create(workspace)
    for number in numbers:
        started = time.monotonic()
        if number and started < deadline:
            sources.change(workspace, number)
        for bench in every:
            if time.monotonic() > deadline:
                report(f"time is up in round {number} of {sources.rows} rows, before {bench.cell.name}")
                return
            for approach in rotated(bench.approaches, number):
                approach.prepare()
                workspace.clear_snapshot_cache()
                with meter.measure() as reading:
                    outcome = approach.refresh()
                if number > unmeasured:
                    yield Sample(bench.cell.name, sources.rows, approach.name, number, reading.spent, outcome)
        report(f"{sources.rows} rows, round {number}: {time.monotonic() - started:.0f} s")


def differences(workspace: Workspace, every: Sequence[Bench]) -> list[str]:
    """The targets whose content differs from that of plain recomputation; their measurements are invalid."""
    wrong_targets = []
    for bench in every:
        contents = {approach.name: _digest(workspace, approach.result()) for approach in bench.approaches}
        wrong = [name for name, content in contents.items() if content != contents[CREATE]]
        wrong_targets += [f"{bench.cell.name} × {bench.sources.rows}: {name}" for name in wrong]
    return wrong_targets


def _digest(workspace: Workspace, query: str) -> tuple[object, ...]:
    """Rows and the sum of their hashes: equal for equal multisets."""
    (row,) = workspace.rows(f"select count(*), sum(cast(xxhash64(*) as decimal(38, 0))) from ({query})")
    return tuple(row)
