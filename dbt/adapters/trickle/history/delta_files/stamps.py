"""The last refresh of a storage table, by its history."""

from __future__ import annotations

from dataclasses import dataclass

from dbt.adapters.trickle.history.delta_files.commit import Commit
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.history.table_history import TableHistory
from trickle import Stamp
from trickle.catalog.frontier import parse_stamp

STAMP_LOOK_BACK = 2000
"""Commits searched for a stamp. Maintenance writes none, and only a table with this many maintenance commits
since its last refresh would be rebuilt for it."""


@dataclass(frozen=True)
class StampedCommit:
    """A stamp and the commit that carries it."""

    stamp: Stamp
    commit: Commit


def last_stamp(log: TableHistory) -> StampedCommit | None:
    """The newest stamped commit, or None: no table, a clone, or a table that is not ours."""
    if not log.exists:
        return None
    for version in range(log.latest, max(-1, log.latest - STAMP_LOOK_BACK), -1):
        if not log.has(version):
            return None
        commit = log.commit(version)
        stamp = parse_stamp(commit.user_metadata)
        if stamp is not None:
            return StampedCommit(stamp, commit)
    return None


def unstamped_change(log: TableHistory, since: StampedCommit, planned_on: int | None = None) -> Commit | None:
    """The first foreign commit that changed rows or columns.

    Foreign are commits after the stamped one, and those between the version it was planned on and itself.
    """
    stamped = since.commit.version
    slipped_in = range(stamped if planned_on is None else planned_on + 1, stamped)
    definition: Metadata | None = None
    for version in (*slipped_in, *range(stamped + 1, log.latest + 1)):
        if version < stamped and not log.has(version):
            continue
        commit = log.commit(version)
        if commit.changes_data or commit.replaces:
            return commit
        if commit.metadata is not None:
            definition = definition or metadata_at(log, version - 1)
            if not commit.metadata.same_rows_as(definition):
                return commit
    return None
