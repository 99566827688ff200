"""How the rows that a source gained and lost are read: by a change feed, or by the files that were added.

A new kind of source is a class here, its SQL in reads.py, and whoever probes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from trickle.catalog.frontier import SourcePosition


@dataclass(frozen=True)
class FeedRange:
    """The table's change feed, over these versions."""

    first: int
    last: int


@dataclass(frozen=True)
class AddedFiles:
    """Files, by their paths, that hold the added rows and no others; nothing else of the source is opened."""

    paths: tuple[str, ...]
    format: str = "parquet"
    """Spark's name for the format, in which it reads a file by its path."""


@dataclass(frozen=True)
class NamedFiles:
    """Files of the table at a version, by their names, that hold the added rows and no others."""

    names: tuple[str, ...]
    version: int


ChangedRows = Union[FeedRange, AddedFiles, NamedFiles]


@dataclass(frozen=True)
class Changes:
    """The rows that came and went since a position."""

    since: SourcePosition
    rows: ChangedRows
    new_columns: frozenset[str] = frozenset()
    """Columns the source did not have then, in lower case. Nobody reads them, or it would count as altered."""
