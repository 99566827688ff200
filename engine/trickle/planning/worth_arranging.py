"""worth_arranging: whether keeping a grouping inside a query pays, by how much it reads and where its keys lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trickle.operators import Aggregate, Scan
from trickle.plan.op import walk
from trickle.plan.ranges import ColumnStatistics

LEAST_ROWS = 1_000_000
"""Below, reading all again costs about what a further table costs at every refresh."""
MOST_PRUNED = 0.5
"""The share of a source up to which one key's rows are looked up in it: files that cannot hold the key are left out."""


@dataclass(frozen=True)
class SourceFacts:
    """What the log of a source tells of it."""

    rows: int
    statistics: ColumnStatistics = field(default_factory=ColumnStatistics)


def worth_arranging(op: Aggregate, sources: Mapping[str, SourceFacts]) -> bool:
    """Whether touched groups could only be read again from most of a large source."""
    scans = [part for part in walk(op) if isinstance(part, Scan)]
    largest = max(scans, key=lambda scan: sources[scan.source].rows, default=None)
    if largest is None or sources[largest.source].rows < LEAST_ROWS:
        return False
    keys = {key.value.column_name for key in op.keys}
    read_by = [column.source for column in largest.columns if column.name in keys]
    return not any(_prunes(sources[largest.source].statistics, column) for column in read_by)


def _prunes(statistics: ColumnStatistics, column: str) -> bool:
    """Whether a value of the column lies in few of the files."""
    ranges = [file.columns.get(column) for file in statistics.files]
    shares = [statistics.share(column, own) for own in ranges if own is not None]
    return len(shares) == len(ranges) > 1 and sum(shares) / len(shares) <= MOST_PRUNED
