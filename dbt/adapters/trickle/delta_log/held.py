"""Which files hold all rows of a table, each of them whole: what lets a small table be read without Delta."""

from __future__ import annotations

import json
import re

from dbt.adapters.trickle.delta_log.log import DeltaLog
from dbt.adapters.trickle.delta_log.metadata import Metadata
from dbt.adapters.trickle.delta_log.snapshot import checksum_of

FEW = 4
"""Files up to which reading each by its path beats asking Delta, which replays the table's log for every question."""

_PLAIN = re.compile(
    r"(boolean|tinyint|smallint|int|bigint|float|double|decimal\(\d+,\d+\)|string|binary|date|timestamp|timestamp_ntz)"
)
"""Types of which a file says as much as the table does: not what is stored as another type, or not at all."""

_PATTERN = re.compile(r"[*?{}\[\]\\]")
"""What Spark would take for a pattern of paths."""


def held_files(log: DeltaLog, version: int, definition: Metadata) -> tuple[str, ...]:
    """Absolute paths of all files of `version`; () where there are many, or a file does not say all of its rows."""
    checksum = checksum_of(log, version)
    files = checksum.get("allFiles") if checksum is not None else None
    if not isinstance(files, list) or not 0 < len(files) <= FEW or not _says_all(definition):
        return ()
    if any("deletionVector" in file for file in files):
        return ()
    paths = [log.data_file(str(file["path"])) for file in files]
    if any(_PATTERN.search(str(path)) or not path.exists() for path in paths):
        return ()
    return tuple(map(str, paths))


def _says_all(definition: Metadata) -> bool:
    """A partition column is not in the file, a mapped column has another name there, a collation may be lost."""
    fields = json.loads(definition.schema_string)["fields"]
    return (
        not definition.partition_columns
        and definition.physical_names == tuple(one.name for one in definition.columns)
        and all(set(field["metadata"]) <= {"comment"} for field in fields)
        and all(_PLAIN.fullmatch(one.type) for one in definition.columns)
    )
