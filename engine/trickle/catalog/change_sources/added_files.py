"""AddedFiles: the rows of files that are read by their paths. No other file of the table is opened."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from trickle.catalog.source_columns import rows_of, typed_column
from trickle.catalog.tables import StreamTable, Table
from trickle.plan.ranges import ColumnStatistics
from trickle.sql.build import table, union_all


@dataclass(frozen=True)
class AddedFiles:
    """Files, by their paths, that hold the added rows and no others. Every weight is 1."""

    paths: tuple[str, ...]
    format: str = "parquet"
    """Spark's name for the format, in which it reads a file by its path."""

    def relation(self, source: Table | StreamTable, statistics: ColumnStatistics) -> exp.Expr:
        items = [typed_column(source, own) for own in source.columns]
        return exp.Subquery(this=union_all([rows_of(source, table((self.format, path)), items) for path in self.paths]))
