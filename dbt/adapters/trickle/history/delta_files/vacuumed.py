"""Files a range of commits needs and VACUUM has removed: Spark would find out in the middle of a statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dbt.adapters.trickle.history.delta_files.commit import ChangeFile, Commit, DataFile
from dbt.adapters.trickle.history.table_history import TableHistory


def gone_before(log: TableHistory, commits: Sequence[Commit]) -> str | None:
    """A file that was part of the table at the start of the range and is gone from the disk."""
    born: set[str] = set()
    for commit in commits:
        for file in commit.removes:
            if file.path not in born and (gone := _gone(log, file)) is not None:
                return gone
        born.update(file.path for file in commit.adds)
    return None


def gone_feed(log: TableHistory, commits: Sequence[Commit]) -> str | None:
    """A file the change feed of the range is read from and that is gone from the disk."""
    for commit in commits:
        for file in commit.feed_files:
            if (gone := _gone(log, file)) is not None:
                return gone
    return None


def _gone(log: TableHistory, file: DataFile | ChangeFile) -> str | None:
    return next((path for path in _paths(file) if not log.has_file(path)), None)


def _paths(file: DataFile | ChangeFile) -> Iterator[str]:
    yield file.path
    if isinstance(file, DataFile) and file.vector:
        yield file.vector
