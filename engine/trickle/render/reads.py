"""How the leaves of a plan are read: a value for the renderer, so that one plan runs on Spark and on DuckDB."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional

from sqlglot import exp

from trickle.errors import InternalError
from trickle.operators import Moment
from trickle.plan.instant import Clock
from trickle.plan.ranges import ColumnStatistics
from trickle.plan.row_counts import RowCounts


@dataclass(frozen=True)
class Reads:
    """The three reads of one source, as relations without alias exposing the source's own column names.

    `feed` also exposes the weight column. `small` and `small_table`: the feed, or the table, is worth broadcasting. The
    last two: one task should read all of the feed, or of the table.
    """

    after: exp.Expr
    before: Optional[exp.Expr] = None
    feed: Optional[exp.Expr] = None
    small: bool = False
    small_table: bool = False
    feed_in_one_task: bool = False
    table_in_one_task: bool = False

    def at(self, moment: Moment) -> exp.Expr:
        relation = self.after if moment is Moment.AFTER else self.before
        if relation is None:
            raise InternalError(
                f"the plan reads a source {moment.value} the refresh, and the binding does not define it"
            )
        return relation


@dataclass(frozen=True)
class Binding:
    """The relations for the leaves of a plan, and facts about them."""

    sources: Mapping[str, Reads] = field(default_factory=dict)
    stored: Optional[exp.Expr] = None
    """The storage table as a relation exposing the view's columns and the weight (its count)."""
    recomputed: Optional[exp.Expr] = None
    """The user's own SELECT at the new versions, as a relation."""
    statistics: Mapping[str, ColumnStatistics] = field(default_factory=dict)
    """Source → statistics of its columns, as far as its log contains them."""
    stored_in_one_task: bool = False
    """Whether one task should read all of the storage."""
    counts: RowCounts = field(default_factory=RowCounts)
    """Rows of the sources, as far as they are known."""
    clock: Optional[Clock] = None
    """The instants of a query with clock calls."""
    stored_relations: Mapping[str, exp.Expr] = field(default_factory=dict)
    """The relations inside the view that the storage keeps: each with its columns, duplicates repeated."""

    def source(self, name: str) -> Reads:
        try:
            return self.sources[name]
        except KeyError:
            raise InternalError(f"the plan reads {name!r}, and the binding does not define it") from None

    def stored_relation(self, name: str) -> exp.Expr:
        try:
            return self.stored_relations[name]
        except KeyError:
            raise InternalError(
                f"the plan reads the stored relation {name!r}, and the binding does not define it"
            ) from None
