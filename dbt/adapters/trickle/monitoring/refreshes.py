"""The history of a stream table, read from its log: every refresh, and the commits of others in between."""

from __future__ import annotations

from dataclasses import dataclass

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.commit import Commit
from dbt.adapters.trickle.monitoring.counts import RowCounts, VersionStep, row_counts, version_steps
from dbt.adapters.trickle.storages.stamp_fields import BEGAN
from trickle import Stamp, StateError
from trickle.catalog.frontier import MESSAGE, parse_stamp

CREATED = "create"
"""The strategy of a refresh that created the storage table: it read its sources whole."""

FOREIGN = "FOREIGN"
"""Instead of an action: a commit that is not ours and changed rows."""


@dataclass(frozen=True)
class RefreshRecord:
    """One refresh, or one commit by another writer."""

    version: int
    """The storage version that it committed."""
    at: int
    """When it was committed, epoch milliseconds."""
    action: str
    reason: str
    sentence: str
    """The reason's sentence; '' in commits of older releases, which did not store it."""
    strategy: str
    rows: RowCounts
    seconds: float | None
    """From the start of the refresh to its commit."""
    sources: tuple[VersionStep, ...]
    data_timestamp: int
    number: int | None
    """The number of refreshes before it; None for a foreign commit."""


def refreshes(log: DeltaLog, limit: int | None = None) -> list[RefreshRecord]:
    """The newest `limit` refreshes, or all in the log, the newest first."""
    commits = _window(log, limit)
    rows_of: dict[str, int | None] = {}
    records: list[RefreshRecord] = []
    previous: Stamp | None = None
    for commit in commits:
        stamp = stamp_of(commit)
        removed = _removed_rows(commit, rows_of)
        if stamp is not None:
            records.append(_refresh_record(commit, stamp, previous, removed))
            previous = stamp
        elif commit.changes_data or commit.replaces:
            records.append(_foreign_record(commit, removed))
    records.reverse()
    return records if limit is None else records[:limit]


def stamp_of(commit: Commit) -> Stamp | None:
    """The stamp of a commit; None without a stamp or with one that a newer dbt-trickle wrote."""
    try:
        return parse_stamp(commit.user_metadata)
    except StateError:
        return None


def _window(log: DeltaLog, limit: int | None) -> list[Commit]:
    """Commits in order of version: an unbroken range up to the newest, with one more stamp than `limit`."""
    commits: list[Commit] = []
    stamps = 0
    version = log.latest
    while log.has(version) and (limit is None or stamps <= limit):
        commit = log.commit(version)
        commits.append(commit)
        stamps += stamp_of(commit) is not None
        version -= 1
    commits.reverse()
    return commits


def _refresh_record(commit: Commit, stamp: Stamp, previous: Stamp | None, removed: int | None) -> RefreshRecord:
    began = stamp.extra.get(BEGAN)
    before = previous.frontier.sources if previous else {}
    steps = version_steps(
        {name: position.version for name, position in before.items()},
        {name: position.version for name, position in stamp.frontier.sources.items()},
        whole=stamp.strategy == CREATED,
    )
    return RefreshRecord(
        version=commit.version,
        at=commit.committed_at,
        action=stamp.action,
        reason=stamp.reason,
        sentence=str(stamp.extra.get(MESSAGE, "")),
        strategy=stamp.strategy,
        rows=row_counts(commit, removed),
        seconds=(commit.committed_at - began) / 1000 if isinstance(began, int) else None,
        sources=tuple(steps),
        data_timestamp=stamp.data_timestamp,
        number=stamp.refresh,
    )


def _foreign_record(commit: Commit, removed: int | None) -> RefreshRecord:
    sentence = f"A {commit.operation} that is not ours: the next run rebuilds the table."
    rows = row_counts(commit, removed)
    return RefreshRecord(
        commit.version, commit.committed_at, FOREIGN, "storage_changed", sentence, "", rows, None, (), 0, None
    )


def _removed_rows(commit: Commit, rows_of: dict[str, int | None]) -> int | None:
    """Rows of the files a commit removed, as counted by the commits that added them. Updates `rows_of`."""
    counts = [rows_of.pop(file.path, file.rows) for file in commit.removes if file.data_change]
    for file in commit.removes:
        rows_of.pop(file.path, None)
    for file in commit.adds:
        rows_of[file.path] = file.rows
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
