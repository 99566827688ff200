"""The storage table of a view, as statements name it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

from sqlglot import exp

from trickle.apply.definitions import TableDefinition, ViewDefinition
from trickle.catalog.source_files import NAME
from trickle.catalog.tables import Name
from trickle.plan.hidden_columns import COUNT, HIDDEN, ROWS
from trickle.plan.schema import WEIGHT, Column
from trickle.plan.stops import stop
from trickle.sql.build import alias, broadcast, case, column, integer, negative, subquery, table

STORED_FILES = f"{NAME}stored"
"""The name of the storage's files, where these are read and not the table."""
TARGET = "target"
CHANGES = "changes"
SIGN = f"{HIDDEN}sign"


@dataclass(frozen=True)
class Target:
    """Where a view lives: the view users read, the table behind it, and its size as far as known."""

    facade: Name
    storage: Name
    rows: int = 0
    bytes: int = 0
    files: int = 0
    exists: bool = False
    paths: tuple[str, ...] = ()
    """The files that hold all its rows, where they are few and can be read without Delta's log."""
    columns: tuple[Column, ...] = ()
    """The columns of the storage: a file may hold others beside them, as those that a MERGE wrote do."""
    appended: bool = False
    """Whether rows that went are stored as well, with negative counts."""
    appending: Optional[Target] = None
    """The same table as it is to be after this refresh, where changes can be appended to it from then on."""
    table: TableDefinition = field(default_factory=TableDefinition)
    view: ViewDefinition = field(default_factory=ViewDefinition)

    @property
    def view_in_place(self) -> bool:
        """Whether the view users read is there and as it must be."""
        return self.exists and self.view.in_place

    def relation(self, version: int | None = None) -> exp.Table:
        return table(self.storage, None, version)

    def stored(self) -> exp.Expr:
        """The stored rows, to be read and not to be written to.

        Reading a table makes Delta replay its log, at planning and again at running. Nothing is lost without it:
        whoever writes in between is found when the commit is verified.
        """
        rows = table((STORED_FILES,)) if self.paths else self.relation()
        return live_groups(rows, tuple(own.name for own in self.columns)) if self.appended else rows


def live_groups(rows: exp.Expr, columns: tuple[str, ...]) -> exp.Subquery:
    """The stored groups that are there, of a storage to which changes are appended.

    A row that went is stored again with its count and its number of rows negated.
    """
    values = {name: exp.Abs(this=column(name)) if name in (COUNT, ROWS) else column(name) for name in columns}
    went = exp.Or(this=_negative(COUNT), expression=_negative(ROWS))
    sign = case(went, negative(integer(1)), integer(1))
    signed = exp.Select(expressions=[*(alias(value, name) for name, value in values.items()), alias(sign, SIGN)])
    query = exp.Select(expressions=[column(name) for name in columns])
    # Not in one SELECT: HAVING would take a name for what it stands for there.
    query = query.from_(subquery(signed.from_(rows, copy=False), "signed"), copy=False)
    query.set("group", exp.Group(expressions=[column(name) for name in columns]))
    query.set("having", exp.Having(this=exp.GT(this=exp.Sum(this=column(SIGN)), expression=integer(0))))
    return subquery(query, "live")


def _negative(name: str) -> exp.Expr:
    return exp.LT(this=column(name), expression=integer(0))


def stored_rows(target: Target, columns: tuple[str, ...]) -> exp.Select:
    """The view's rows with their count as weight."""
    items = [column(name) for name in columns]
    query = exp.Select(expressions=[*items, alias(column(COUNT), WEIGHT)]).from_(target.stored(), copy=False)
    query.set("where", exp.Where(this=exp.NEQ(this=column(COUNT), expression=integer(0))))
    return query


def merge_source(changes: exp.Query, small: bool) -> exp.Subquery:
    """The relation a MERGE joins with its target: broadcast when small, or the whole target would be shuffled."""
    if not small:
        return subquery(changes, CHANGES)
    hinted = exp.Select(expressions=[exp.Star()], hint=broadcast([CHANGES]))
    return subquery(hinted.from_(subquery(changes, CHANGES), copy=False), CHANGES)


def insert_overwrite(target: Target, query: exp.Query) -> exp.Insert:
    return exp.Insert(this=target.relation(), expression=query, overwrite=True)


STORED_ROWS_DIFFER = "stored_rows_differ"
"""Code of a statement that found rows to remove which are not stored."""


def unless(bad: exp.Expr, value: exp.Expr, target: Target) -> exp.Expr:
    """The value; where it shows that the stored state cannot be right, the end of the statement."""
    name = ".".join(target.storage)
    sentence = f"the stored rows of {name} disagree with its sources; run with --full-refresh"
    return case(bad, stop(STORED_ROWS_DIFFER, sentence, "bigint"), value)
