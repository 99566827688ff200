"""Which files hold all rows of a table, each of them whole: what lets a small table be read without Delta."""

from __future__ import annotations

import json
import re

from dbt.adapters.trickle.delta_log.commit import Commit, DataFile
from dbt.adapters.trickle.delta_log.log import DeltaLog
from dbt.adapters.trickle.delta_log.metadata import Metadata

FEW = 4
"""Files up to which reading each by its path beats asking Delta, which replays the table's log for every question."""

LOOK_BACK = 10
"""Commits read in search of one that wrote the whole table."""

_PLAIN = re.compile(
    r"(boolean|tinyint|smallint|int|bigint|float|double|decimal\(\d+,\d+\)|string|binary|date|timestamp|timestamp_ntz)"
)
"""Types of which a file says as much as the table does: not what is stored as another type, or not at all."""

_PATTERN = re.compile(r"[*?{}\[\]\\]")
"""What Spark would take for a pattern of paths."""


def held_files(log: DeltaLog, version: int, definition: Metadata) -> tuple[str, ...]:
    """Absolute paths of all files of `version`; () where that is not sure, or a file does not say all of its rows.

    Told by the commits alone, from the last one on that wrote the whole table: a checksum file is only a convenience.
    """
    files = _replayed(log, version) if _says_all(definition) else {}
    if not 0 < len(files) <= FEW or any(file.hides_rows for file in files.values()):
        return ()
    paths = [log.data_file(path) for path in files]
    if any(_PATTERN.search(str(path)) or not path.exists() for path in paths):
        return ()
    return tuple(map(str, paths))


def _replayed(log: DeltaLog, version: int) -> dict[str, DataFile]:
    """The files of `version` by their paths; none where no commit wrote the whole table of late."""
    commits: list[Commit] = []
    for earlier in range(version, max(-1, version - LOOK_BACK), -1):
        if not log.has(earlier):
            return {}
        commits.append(log.commit(earlier))
        if _writes_all(commits[-1]):
            break
    else:
        return {}
    held: dict[str, DataFile] = {}
    for commit in reversed(commits):
        for file in commit.removes:
            held.pop(file.path, None)
        held.update((file.path, file) for file in commit.adds)
    return held


def _writes_all(commit: Commit) -> bool:
    """Whether nothing that was there before the commit is there after it."""
    if commit.operation == "WRITE":
        # Whatever else it says, it is about a part of the rows.
        return dict(commit.parameters) == {"mode": "Overwrite", "partitionBy": "[]"}
    return commit.operation.endswith("TABLE AS SELECT")


def _says_all(definition: Metadata) -> bool:
    """Columns under their own names, of plain types: a collation may be lost."""
    fields = json.loads(definition.schema_string)["fields"]
    return (
        definition.named_in_files
        and all(set(field["metadata"]) <= {"comment"} for field in fields)
        and all(_PLAIN.fullmatch(one.type) for one in definition.columns)
    )
