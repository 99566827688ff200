"""The history of a stream table, read from its log: every refresh, and what others wrote in between."""

from __future__ import annotations

from dataclasses import dataclass

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.commit import Commit
from dbt.adapters.trickle.monitoring.counts import RowCounts, VersionStep, row_counts, version_steps
from dbt.adapters.trickle.storages.stamp_fields import BEGAN
from trickle import MESSAGE, Stamp, StateError, parse_stamp

CREATED = "create"
"""The strategy of a refresh that made a new storage table: it read its sources whole."""

FOREIGN = "FOREIGN"
"""In the place of an action: a commit that is not ours and changed rows."""


@dataclass(frozen=True)
class RefreshRecord:
    """One refresh, or one commit of somebody else."""

    version: int
    """The storage's version that it made."""
    at: int
    """When it was committed, epoch milliseconds."""
    action: str
    reason: str
    said: str
    """The reason's sentence; '' in commits of older versions, which did not keep it."""
    strategy: str
    rows: RowCounts
    seconds: float | None
    """From the beginning of the refresh to its commit."""
    sources: tuple[VersionStep, ...]
    data_timestamp: int
    number: int | None
    """How many refreshes there were before; None for a foreign commit."""


def refreshes(log: DeltaLog, limit: int | None = None) -> list[RefreshRecord]:
    """The newest first, as far back as the log goes or as many as are asked for."""
    commits = _window(log, limit)
    rows_of: dict[str, int | None] = {}
    found: list[RefreshRecord] = []
    previous: Stamp | None = None
    for commit in commits:
        stamp = stamp_of(commit)
        gone = _rows_gone(commit, rows_of)
        if stamp is not None:
            found.append(_refreshed(commit, stamp, previous, gone))
            previous = stamp
        elif commit.changes_data or commit.replaces:
            found.append(_foreign(commit, gone))
    found.reverse()
    return found if limit is None else found[:limit]


def stamp_of(commit: Commit) -> Stamp | None:
    """The stamp of a commit; one of a newer dbt-trickle is none that this one understands."""
    try:
        return parse_stamp(commit.user_metadata)
    except StateError:
        return None


def _window(log: DeltaLog, limit: int | None) -> list[Commit]:
    """Commits in the order of their versions: an unbroken range up to the newest, with one stamp more than asked."""
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


def _refreshed(commit: Commit, stamp: Stamp, previous: Stamp | None, gone: int | None) -> RefreshRecord:
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
        said=str(stamp.extra.get(MESSAGE, "")),
        strategy=stamp.strategy,
        rows=row_counts(commit, gone),
        seconds=(commit.committed_at - began) / 1000 if isinstance(began, int) else None,
        sources=tuple(steps),
        data_timestamp=stamp.data_timestamp,
        number=stamp.refresh,
    )


def _foreign(commit: Commit, gone: int | None) -> RefreshRecord:
    said = f"A {commit.operation} that is not ours: the next run rebuilds the table."
    rows = row_counts(commit, gone)
    return RefreshRecord(
        commit.version, commit.committed_at, FOREIGN, "storage_changed", said, "", rows, None, (), 0, None
    )


def _rows_gone(commit: Commit, rows_of: dict[str, int | None]) -> int | None:
    """Rows of the files a commit removed, as the commits that added them counted; keeps count of what there is."""
    counts = [rows_of.pop(file.path, file.rows) for file in commit.removes if file.data_change]
    for file in commit.removes:
        rows_of.pop(file.path, None)
    for file in commit.adds:
        rows_of[file.path] = file.rows
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
