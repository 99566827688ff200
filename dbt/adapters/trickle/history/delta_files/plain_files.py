"""Data files that can be read by their paths: where a file by itself says what Delta would say of it."""

from __future__ import annotations

import json
import re

from dbt.adapters.trickle.history.delta_files.commit import DataFile
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.table_history import TableHistory

_PLAIN = re.compile(
    r"(boolean|tinyint|smallint|int|bigint|float|double|decimal\(\d+,\d+\)|string|binary|date|timestamp|timestamp_ntz)"
)
"""Types of which a file says as much as the table does: not what is stored as another type, or not at all.

The fields of a struct may stand in another order in the file, or be fewer: only Delta puts them where they belong.
"""

_PATTERN = re.compile(r"[*?{}\[\]\\]")
"""What Spark would take for a pattern of paths."""


def says_all(definition: Metadata) -> bool:
    """Columns under their own names, of plain types that were never others: a collation may be lost."""
    fields = json.loads(definition.schema_string)["fields"]
    return (
        definition.named_in_files
        and all(set(field.get("metadata") or {}) <= {"comment"} for field in fields)
        and all(_PLAIN.fullmatch(one.type) for one in definition.columns)
    )


def has_columns(file: DataFile, definition: Metadata) -> bool:
    """Whether the file surely holds every column: a column that came later is in no older file."""
    counted = (json.loads(file.stats) if file.stats else {}).get("nullCount") or {}
    return all(one.name in counted for one in definition.columns)


def paths_of(history: TableHistory, files: list[DataFile]) -> tuple[str, ...]:
    """Absolute paths of the files; () where one of them cannot be named to Spark, or does not hold all of its rows."""
    if any(file.hides_rows for file in files):
        return ()
    paths = history.paths(files)
    return () if any(_PATTERN.search(path) for path in paths) else paths
