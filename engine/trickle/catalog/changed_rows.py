"""Changes: the rows that a source gained and lost since a position."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from trickle.catalog.change_sources import ChangedRows
from trickle.catalog.frontier import SourcePosition
from trickle.catalog.tables import StreamTable, Table
from trickle.plan.ranges import ColumnStatistics

UNKNOWN = ColumnStatistics()


@dataclass(frozen=True)
class Changes:
    """The rows that came and went since a position."""

    since: SourcePosition
    rows: ChangedRows
    new_columns: frozenset[str] = frozenset()
    """Columns the source did not have then, in lower case. Nobody reads them, or it would count as altered."""

    def relation(self, source: Table | StreamTable, statistics: ColumnStatistics = UNKNOWN) -> exp.Expr:
        """The rows added and removed, with their weight, as a relation without alias."""
        return self.rows.relation(source, statistics)
