"""worth_arranging: whether keeping a grouping inside a query pays, by how much it reads and where its keys lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, prod

from trickle.operators import Aggregate, Scan
from trickle.plan.op import walk
from trickle.plan.ranges import ColumnStatistics

LEAST_ROWS = 10_000_000
"""Below, reading all again costs less than a further table costs at every refresh."""
LEAST_IN_A_GROUP = 8
"""Rows for each group, at least: else the groups are no smaller than what they are made of."""
MOST_PRUNED = 0.5
"""The share of a source up to which one key's rows are looked up in it: files that cannot hold the key are left out."""


@dataclass(frozen=True)
class SourceFacts:
    """What the log of a source tells of it."""

    rows: int
    statistics: ColumnStatistics = field(default_factory=ColumnStatistics)


def worth_arranging(op: Aggregate, sources: Mapping[str, SourceFacts]) -> bool:
    """Whether touched groups could only be read again from most of a large source, of which there are few groups."""
    scans = [part for part in walk(op) if isinstance(part, Scan)]
    largest = max(scans, key=lambda scan: sources[scan.source].rows, default=None)
    if largest is None or sources[largest.source].rows < LEAST_ROWS:
        return False
    facts = sources[largest.source]
    read = {column.name: column.source for scan in scans for column in scan.columns}
    from_largest = {column.name for column in largest.columns}
    keys = [str(key.value.column_name) for key in op.keys]
    if any(_prunes(facts.statistics, read[key]) for key in keys if key in from_largest):
        return False
    where = {column.name: scan.source for scan in scans for column in scan.columns}
    most = prod(_values(sources[where[key]].statistics, read[key]) if key in read else inf for key in keys)
    return most * LEAST_IN_A_GROUP <= facts.rows


def _prunes(statistics: ColumnStatistics, column: str) -> bool:
    """Whether a value of the column lies in few of the files."""
    ranges = [file.columns.get(column) for file in statistics.files]
    shares = [statistics.share(column, own) for own in ranges if own is not None]
    return len(shares) == len(ranges) > 1 and sum(shares) / len(shares) <= MOST_PRUNED


def _values(statistics: ColumnStatistics, column: str) -> float:
    """How many values of a column there can be, by the ranges of whole numbers in its files."""
    ranges = [file.columns.get(column) for file in statistics.files]
    bounds = [bound for own in ranges if own is not None for interval in own.intervals for bound in interval]
    if not ranges or None in ranges or not all(isinstance(bound, int) for bound in bounds):
        return inf
    return max(bounds) - min(bounds) + 1 if bounds else 1
