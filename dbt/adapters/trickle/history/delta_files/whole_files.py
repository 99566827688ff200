"""Which files hold all rows of a table, each of them whole: what lets a small table be read without Delta."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dbt.adapters.trickle.history.delta_files.commit import Commit, DataFile
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.plain_files import is_plain, paths_of
from dbt.adapters.trickle.history.table_history import LogUnreadable, TableHistory

FEW = 4
"""Files up to which reading each by its path beats asking Delta, which replays the table's log for every question."""

RECENT = 10
"""Commits read in search of one that wrote the whole table, where the answer only makes a refresh a little faster."""

LOOK_BACK = 40
"""The same, where it decides how a source is read, before a checkpoint is opened."""


def whole_files(log: TableHistory, version: int, definition: Metadata) -> tuple[str, ...]:
    """Absolute paths of all files of `version`; () if that is not sure, or a file does not hold all of its rows."""
    try:
        commits = _since_all_written(log, version, RECENT) if is_plain(definition) else None
    except LogUnreadable:
        return ()
    files = _left(commits or ())
    return paths_of(log, list(files.values())) if 0 < len(files) <= FEW else ()


def present_files(log: TableHistory, version: int) -> Mapping[str, DataFile]:
    """The files of `version` by their paths; none where they are not known.

    By the commits alone, from the last one on that wrote the whole table, or else from a checkpoint: a checksum file is
    only a convenience.
    """
    commits = _since_all_written(log, version, LOOK_BACK)
    return log.data_files(version) if commits is None else _left(commits)


def _since_all_written(log: TableHistory, version: int, look_back: int) -> Sequence[Commit] | None:
    """The commits up to `version`, newest first, that say all of its files; None where so few do not."""
    commits: list[Commit] = []
    for earlier in range(version, max(-1, version - look_back), -1):
        if not log.has(earlier):
            return None
        commits.append(log.commit(earlier))
        if earlier == 0 or _writes_all(commits[-1]):
            return commits
    return None


def _left(newest_first: Sequence[Commit]) -> Mapping[str, DataFile]:
    """The files that none of the commits after theirs removed."""
    current: dict[str, DataFile] = {}
    for commit in reversed(newest_first):
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
