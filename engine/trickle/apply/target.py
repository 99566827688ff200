"""The storage table of a view, as statements name it."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from trickle.apply.definitions import TableDefinition, ViewDefinition
from trickle.catalog.source_files import NAME
from trickle.catalog.tables import Name
from trickle.plan.hidden_columns import COUNT
from trickle.plan.schema import WEIGHT, Column
from trickle.plan.stops import stop
from trickle.sql.build import alias, broadcast, case, column, integer, subquery, table

STORED_FILES = f"{NAME}stored"
"""The name of the storage's files, where these are read and not the table."""
TARGET = "target"
CHANGES = "changes"


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
        return table((STORED_FILES,)) if self.paths else self.relation()


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
