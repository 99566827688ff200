"""FeedRange: the changes in a table's change data feed."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from trickle.catalog.source_columns import columns_of, physical_name, rows_of
from trickle.catalog.tables import StreamTable, Table
from trickle.plan.ranges import ColumnStatistics
from trickle.sql.build import call, case, column, integer, string, table
from trickle.sql.text import to_line

ADDED = ("insert", "update_postimage")


@dataclass(frozen=True)
class FeedRange:
    """The table's change feed, over these versions."""

    first: int
    last: int

    def relation(self, source: Table | StreamTable, statistics: ColumnStatistics) -> exp.Expr:
        physical = physical_name(source)
        changes = call("TABLE_CHANGES", string(to_line(table(physical))), integer(self.first), integer(self.last))
        added = exp.In(this=column("_change_type"), expressions=[string(kind) for kind in ADDED])
        sign = case(added, integer(1), integer(-1))
        return exp.Subquery(this=rows_of(source, exp.Table(this=changes), columns_of(source), sign))
