"""Between which versions a table holds the same rows."""

from __future__ import annotations

from dbt.adapters.trickle.history.delta_files.shape import keeps_rows
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.history.table_history import TableHistory
from trickle import SourcePosition


def changes_rows(log: TableHistory, version: int) -> bool:
    """Whether a commit left other rows than the version before it. A column that was added leaves them as they are."""
    commit = log.commit(version)
    if commit.changes_data or commit.replaces:
        return True
    if commit.metadata is None:
        return False
    return not log.has(version - 1) or not keeps_rows(metadata_at(log, version - 1), commit.metadata)


def rows_since(log: TableHistory, version: int) -> int:
    """The version that wrote the rows of `version`, or the oldest one that is still in the log."""
    while log.has(version) and not changes_rows(log, version) and log.has(version - 1):
        version -= 1
    return version


def rows_until(log: TableHistory, version: int) -> int:
    """The newest version that still holds the rows of `version`."""
    while log.has(version + 1) and not changes_rows(log, version + 1):
        version += 1
    return version


def is_there(log: TableHistory, position: SourcePosition) -> bool:
    """Whether a position belongs to this table, and not to an earlier one of its name."""
    if log.has(position.version):
        return log.commit(position.version).committed_at == position.committed_at
    return log.exists and position.version < log.latest and metadata_at(log, log.latest).id == position.table_id
