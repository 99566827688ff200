"""SourceFiles: the data files of a source that can be read by their paths, and the names they have in a statement.

Delta lists a table's files anew for every time a statement reads it, twice, each time by a query of its own. That is
most of a small refresh. Files that hold their rows whole, in columns of plain types, say the same without Delta.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.catalog.reads import copies
from trickle.catalog.source_columns import columns_of, rows_of, shown_columns
from trickle.catalog.tables import StreamTable, Table
from trickle.plan.hidden_columns import COUNT
from trickle.plan.schema import WEIGHT, Column
from trickle.sql.build import column, table

NAME = "__trickle_files_"


@dataclass(frozen=True)
class Positions:
    """Positions of rows in a data file, as a deletion vector of the table has them."""

    rows: int
    file: str = ""
    """The file that the vector lies in …"""
    offset: int = 0
    inline: str = ""
    """… or the vector itself, where the log has it."""


@dataclass(frozen=True)
class FileRows:
    """Some of the rows of a data file, each with this weight."""

    path: str
    without: Optional[Positions] = None
    only: Optional[Positions] = None
    """Of these those that `without` does not name; None: of all rows of the file."""
    weight: int = 1


@dataclass(frozen=True)
class DataFiles:
    """Files that together hold certain rows of a table, and no others."""

    paths: tuple[str, ...]
    """Files all of whose rows are meant."""
    columns: tuple[Column, ...]
    """Every column of the table, with its type."""
    parts: tuple[FileRows, ...] = ()
    feed: tuple[str, ...] = ()
    """Files of the change feed: each row says what became of it."""
    signed: bool = False
    """Whether rows came and went: each has a weight then, in the column WEIGHT."""


@dataclass(frozen=True)
class SourceFiles:
    """What can be read of a source by its files; None where only Delta can."""

    now: Optional[DataFiles] = None
    before: Optional[DataFiles] = None
    """At the position at which it was read last."""
    change: Optional[DataFiles] = None
    """The rows that came and went since."""


def rows_in(source: Table | StreamTable, name: str) -> exp.Expr:
    """The source's rows, read from the files that have a name."""
    read = exp.Select(expressions=shown_columns(source)).from_(table((name,)), copy=False)
    if isinstance(source, StreamTable):
        read.append("laterals", copies(column(COUNT)))
    return exp.Subquery(this=read)


def changes_in(source: Table | StreamTable, name: str, signed: bool) -> exp.Expr:
    """The rows that came and went by these files, with their weight."""
    return exp.Subquery(this=rows_of(source, table((name,)), columns_of(source), column(WEIGHT) if signed else None))
