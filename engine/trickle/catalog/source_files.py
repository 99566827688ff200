"""SourceFiles: the data files of a source that can be read by their paths, and the names they have in a statement.

Delta lists a table's files anew for every time a statement reads it, twice, each time by a query of its own. That is
most of a small refresh. Files that hold their rows whole, in columns of plain types, say the same without Delta.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.catalog.reads import copies
from trickle.catalog.source_columns import columns_of, rows_of
from trickle.catalog.tables import StreamTable, Table
from trickle.plan.hidden_columns import COUNT
from trickle.plan.schema import Column
from trickle.sql.build import column, table

NAME = "__trickle_files_"


@dataclass(frozen=True)
class DataFiles:
    """Files that together hold certain rows of a table, and no others."""

    paths: tuple[str, ...]
    columns: tuple[Column, ...]
    """Every column of the table, with its type."""


@dataclass(frozen=True)
class SourceFiles:
    """What can be read of a source by its files; None where only Delta can."""

    now: Optional[DataFiles] = None
    before: Optional[DataFiles] = None
    """At the position at which it was read last."""
    added: Optional[DataFiles] = None
    """The rows that came since, where none went."""


def rows_in(source: Table | StreamTable, name: str) -> exp.Expr:
    """The source's rows, read from the files that have a name."""
    read = exp.Select(expressions=columns_of(source)).from_(table((name,)), copy=False)
    if isinstance(source, StreamTable):
        read.append("laterals", copies(column(COUNT)))
    return exp.Subquery(this=read)


def changes_in(source: Table | StreamTable, name: str) -> exp.Expr:
    """The rows that were added with these files, with their weight."""
    return exp.Subquery(this=rows_of(source, table((name,)), columns_of(source)))
