"""NamedFiles: the rows of a table that lie in some of its files. No feed is needed."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from trickle.catalog.source_columns import columns_of, physical_name, rows_of
from trickle.catalog.tables import StreamTable, Table
from trickle.plan.ranges import ColumnStatistics, in_ranges
from trickle.sql.build import all_of, column, string, table

BOUNDS = 4
"""Columns by whose ranges a read is bounded, at most."""


@dataclass(frozen=True)
class NamedFiles:
    """Files of the table at a version, by their names, that hold the added rows and no others. Every weight is 1."""

    names: tuple[str, ...]
    version: int

    def relation(self, source: Table | StreamTable, statistics: ColumnStatistics) -> exp.Expr:
        name = exp.Dot(this=column("_metadata"), expression=exp.to_identifier("file_name", quoted=True))
        query = rows_of(source, table(physical_name(source), None, self.version), columns_of(source))
        added = exp.In(this=name, expressions=[string(file) for file in self.names])
        query.where(all_of([added, *_bounds(source, statistics)]), copy=False)
        return exp.Subquery(this=query)


def _bounds(source: Table | StreamTable, statistics: ColumnStatistics) -> list[exp.Expr]:
    """Bounds on the added rows: Delta opens every file to read its name, unless literals skip it."""
    if isinstance(source, StreamTable):
        return []
    ranges = statistics.changed
    known = [(own.name, ranges[own.name]) for own in source.columns if own.name in ranges]
    return [exp.Paren(this=in_ranges(column(name), wanted)) for name, wanted in known[:BOUNDS]]
