"""Interleaved rounds: every way refreshes after the same change before anything changes again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from benchmarks.cells import Cell
from benchmarks.meter import Meter, Spent
from benchmarks.place import Place
from benchmarks.sources import Sources
from benchmarks.ways import CREATE, Outcome, Way, every_way

T = TypeVar("T")
Say = Callable[[str], None]


@dataclass(frozen=True)
class Sample:
    """One refresh of one way."""

    cell: str
    rows: int
    way: str
    round_number: int
    spent: Spent
    outcome: Outcome


@dataclass(frozen=True)
class Bench:
    """A cell at a size, with its ways."""

    cell: Cell
    sources: Sources
    ways: tuple[Way, ...]


def rotated(items: Sequence[T], by: int) -> list[T]:
    """Another one first in every round: who comes first pays for cold caches and for others' background work."""
    start = by % len(items) if items else 0
    return [*items[start:], *items[:start]]


def benches(place: Place, cells: Sequence[Cell], sources: Sources) -> list[Bench]:
    return [Bench(cell, sources, every_way(place, sources, cell)) for cell in cells]


def run_rounds(
    place: Place, every: Sequence[Bench], numbers: range, unmeasured: int, deadline: float, say: Say
) -> Iterator[Sample]:
    """In round 0 build every target, in all others change and refresh; those after `unmeasured` are measured.

    Warming up is needed once in a process: Java compiles, statements are generated for the first time. Nothing is
    started after the deadline (monotonic seconds); what is missing then is missing in the report.
    """
    meter = Meter(place.java)
    sources = every[0].sources
    if 0 in numbers:
        sources.make(place)
    for number in numbers:
        started = time.monotonic()
        if number and started < deadline:
            sources.change(place, number)
        for bench in every:
            if time.monotonic() > deadline:
                say(f"time is up in round {number} of {sources.rows} rows, before {bench.cell.name}")
                return
            for way in rotated(bench.ways, number):
                way.prepare()
                place.forget_snapshots()
                with meter.measure() as reading:
                    outcome = way.refresh()
                if number > unmeasured:
                    yield Sample(bench.cell.name, sources.rows, way.name, number, reading.spent, outcome)
        say(f"{sources.rows} rows, round {number}: {time.monotonic() - started:.0f} s")


def differences(place: Place, every: Sequence[Bench]) -> list[str]:
    """The targets that do not hold what plain recomputation holds: then a measurement measured nothing."""
    found = []
    for bench in every:
        contents = {way.name: _digest(place, way.result()) for way in bench.ways}
        wrong = [name for name, content in contents.items() if content != contents[CREATE]]
        found += [f"{bench.cell.name} × {bench.sources.rows}: {name}" for name in wrong]
    return found


def _digest(place: Place, query: str) -> tuple[object, ...]:
    """Rows and the sum of their hashes: equal for equal multisets."""
    (row,) = place.rows(f"select count(*), sum(cast(xxhash64(*) as decimal(38, 0))) from ({query})")
    return tuple(row)
