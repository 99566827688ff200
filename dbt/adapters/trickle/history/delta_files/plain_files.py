"""Data files that can be read by their paths: where a file by itself says what Delta would say of it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from dbt.adapters.trickle.history.delta_files.commit import DataFile
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.table_history import Named, TableHistory
from trickle.types import STRING, Decimal, Simple, Type

_PATTERN = re.compile(r"[*?{}\[\]\\]")
"""What Spark would take for a pattern of paths."""


def is_plain(definition: Metadata) -> bool:
    """Columns under their own names, of plain types that were never others: a collation may be lost."""
    fields = json.loads(definition.schema_string)["fields"]
    return (
        definition.named_in_files
        and all(set(field.get("metadata") or {}) <= {"comment"} for field in fields)
        and all(_is_plain(column.parsed_type) for column in definition.columns)
    )


def _is_plain(kind: Type) -> bool:
    """Whether a file says as much of a column as the table does.

    Not where values are stored as another type, or not at all. A file may have fewer fields of a struct, or in another
    order: only Delta puts them in their places.
    """
    match kind:
        case Simple.VARIANT | Simple.CALENDAR_INTERVAL | Simple.VOID:
            return False
        case Simple() | Decimal():
            return True
        case _:
            return kind == STRING


def has_columns(file: DataFile, definition: Metadata) -> bool:
    """Whether the file surely holds every column: a column that came later is in no older file."""
    return all(column.name in file.counted for column in definition.columns)


def paths_of(history: TableHistory, files: Sequence[DataFile]) -> tuple[str, ...]:
    """Absolute paths of the files; () where one of them cannot be named to Spark, or does not hold all of its rows."""
    return () if any(file.hides_rows for file in files) else named(history, files)


def named(history: TableHistory, files: Sequence[Named]) -> tuple[str, ...]:
    """Absolute paths of the files, whatever rows are hidden; () where one of them cannot be named to Spark."""
    paths = history.paths(files)
    return () if any(_PATTERN.search(path) for path in paths) else paths
