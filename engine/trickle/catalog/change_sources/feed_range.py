"""FeedRange: the changes in a table's change data feed."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from trickle.catalog.source_columns import columns_of, physical_name
from trickle.catalog.tables import StreamTable, Table
from trickle.plan.hidden_columns import COUNT
from trickle.plan.ranges import ColumnStatistics
from trickle.plan.schema import WEIGHT
from trickle.sql.build import alias, call, case, column, integer, product, string, table
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
        sign: exp.Expr = case(added, integer(1), integer(-1))
        select = exp.Select(expressions=columns_of(source))
        if isinstance(source, StreamTable):
            sign = product(sign, column(COUNT))
            select.set("where", exp.Where(this=exp.NEQ(this=column(COUNT), expression=integer(0))))
        select.append("expressions", alias(sign, WEIGHT))
        return exp.Subquery(this=select.from_(exp.Table(this=changes), copy=False))
