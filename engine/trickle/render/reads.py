"""How the leaves of a plan are read: a value given to the renderer, so that one plan runs on Spark and on DuckDB."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional

from sqlglot import exp

from trickle.errors import InternalError
from trickle.operators import Moment
from trickle.plan.instant import Clock
from trickle.plan.ranges import ColumnStatistics


@dataclass(frozen=True)
class Reads:
    """The three reads of one source, as relations without alias exposing the source's own column names.

    `feed` also exposes the weight column. `small` says that the feed is worth broadcasting, the last two that one task
    should read all of the feed, or of the table.
    """

    after: exp.Expr
    before: Optional[exp.Expr] = None
    feed: Optional[exp.Expr] = None
    small: bool = False
    feed_in_one_task: bool = False
    table_in_one_task: bool = False

    def at(self, moment: Moment) -> exp.Expr:
        relation = self.after if moment is Moment.AFTER else self.before
        if relation is None:
            raise InternalError(f"the plan reads a source {moment.value} the refresh, but nothing says how")
        return relation


@dataclass(frozen=True)
class Binding:
    """Everything a plan needs to know about where its leaves live."""

    sources: Mapping[str, Reads] = field(default_factory=dict)
    stored: Optional[exp.Expr] = None
    """The storage table as a relation exposing the view's columns and the weight (its count)."""
    recomputed: Optional[exp.Expr] = None
    """The user's own SELECT at the new versions, as a relation."""
    statistics: Mapping[str, ColumnStatistics] = field(default_factory=dict)
    """Where the sources' values lie, as far as their logs tell."""
    stored_in_one_task: bool = False
    """Whether one task should read all of the storage."""
    clock: Optional[Clock] = None
    """The instants of a query that asks for them."""
    stored_relations: Mapping[str, exp.Expr] = field(default_factory=dict)
    """The relations inside the view that the storage holds: each with its columns, every row as often as it occurs."""

    def source(self, name: str) -> Reads:
        try:
            return self.sources[name]
        except KeyError:
            raise InternalError(f"the plan reads {name!r}, but nothing says how") from None

    def stored_relation(self, name: str) -> exp.Expr:
        try:
            return self.stored_relations[name]
        except KeyError:
            raise InternalError(f"the plan reads the stored relation {name!r}, but nothing says how") from None
