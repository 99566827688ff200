"""Which files hold all rows of a table, each of them whole: what lets a small table be read without Delta."""

from __future__ import annotations

from collections.abc import Mapping

from dbt.adapters.trickle.history.delta_files.commit import Commit, DataFile
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.plain_files import is_plain, paths_of
from dbt.adapters.trickle.history.table_history import LogUnreadable, TableHistory

FEW = 4
"""Files up to which reading each by its path beats asking Delta, which replays the table's log for every question."""

LOOK_BACK = 40
"""Commits read in search of one that wrote the whole table, before a checkpoint is opened."""


def whole_files(log: TableHistory, version: int, definition: Metadata) -> tuple[str, ...]:
    """Absolute paths of all files of `version`; () if that is not sure, or a file does not hold all of its rows."""
    try:
        files = present_files(log, version) if is_plain(definition) else {}
    except LogUnreadable:
        return ()
    return paths_of(log, list(files.values())) if 0 < len(files) <= FEW else ()


def present_files(log: TableHistory, version: int) -> Mapping[str, DataFile]:
    """The files of `version` by their paths; none where they are not known.

    By the commits alone, from the last one on that wrote the whole table, or else from a checkpoint: a checksum file is
    only a convenience.
    """
    commits: list[Commit] = []
    for earlier in range(version, max(-1, version - LOOK_BACK), -1):
        if not log.has(earlier):
            return log.data_files(version)
        commits.append(log.commit(earlier))
        if earlier == 0 or _writes_all(commits[-1]):
            break
    else:
        return log.data_files(version)
    current: dict[str, DataFile] = {}
    for commit in reversed(commits):
        for file in commit.removes:
            current.pop(file.path, None)
        current.update((file.path, file) for file in commit.adds)
    return current


def _writes_all(commit: Commit) -> bool:
    """Whether nothing that was there before the commit is there after it."""
    if commit.operation == "WRITE":
        # With any other parameter it is about a part of the rows.
        return dict(commit.parameters) == {"mode": "Overwrite", "partitionBy": "[]"}
    return commit.operation.endswith("TABLE AS SELECT")
