"""What happened to a source since a position, judged by the actions in its log.

`isBlindAppend` is never asked: Delta writes false for an INSERT that reads its own table, which only appends.
"""

from __future__ import annotations

from dataclasses import replace

from dbt.adapters.trickle.delta_log.appended import AddedFiles, added_files
from dbt.adapters.trickle.delta_log.commit import Commit
from dbt.adapters.trickle.delta_log.log import DeltaLog, LogUnreadable
from dbt.adapters.trickle.delta_log.metadata import Metadata
from dbt.adapters.trickle.delta_log.snapshot import UNKNOWN_SIZE, Size, metadata_at, size_at
from dbt.adapters.trickle.delta_log.volume import volume_of
from trickle import Happened, Probe, SourcePosition

NOWHERE = SourcePosition("", -1, 0)
"""The position of a table without versions."""


def probe(log: DeltaLog, source: str, before: SourcePosition | None) -> Probe:
    """Compare a table now with `before`; nothing here starts Spark."""
    if not log.exists:
        return Probe(source, NOWHERE, before, Happened.NOT_VERSIONED, "it is not a Delta table")
    latest = log.commit(log.latest)
    definition = metadata_at(log, log.latest)
    now = SourcePosition(definition.id, log.latest, latest.committed_at)
    size = size_for_prices(log)
    if before is None:
        return _answer(source, now, None, Happened.NOTHING, "it is read for the first time", size, definition.feed)
    happened, detail = _identity(log, before, now)
    if happened is not None:
        return _answer(source, now, before, happened, detail, size)
    commits = [log.commit(version) for version in range(before.version + 1, now.version + 1)]
    return _judge(log, source, before, now, commits, size)


def size_for_prices(log: DeltaLog) -> Size:
    """A table too new for the log reader can still be refreshed: only its price is not known."""
    try:
        return size_at(log, log.latest)
    except LogUnreadable:
        return UNKNOWN_SIZE


def _identity(log: DeltaLog, before: SourcePosition, now: SourcePosition) -> tuple[Happened | None, str]:
    """Whether the table is still the one `before` speaks of, with an unbroken log since."""
    if now.version < before.version:
        return (Happened.RECREATED, f"its versions went back from {before.version} to {now.version}")
    if log.has(before.version) and log.commit(before.version).committed_at != before.committed_at:
        return Happened.RECREATED, "it was dropped and created again"
    missing = [version for version in range(before.version + 1, now.version + 1) if not log.has(version)]
    if missing:
        return (Happened.UNREADABLE, f"version {missing[0]} has been cleaned out of its log")
    if not log.has(before.version) and now.table_id != before.table_id:
        changes = (log.commit(version).metadata for version in range(before.version + 1, now.version + 1))
        first = next((metadata for metadata in changes if metadata is not None), None)
        if first is None or first.id == now.table_id:
            return Happened.RECREATED, "it was dropped and created again"
    return None, ""


def _judge(
    log: DeltaLog, source: str, before: SourcePosition, now: SourcePosition, commits: list[Commit], size: Size
) -> Probe:
    """The kind of history the commits of the range make up."""
    redefined = any(commit.metadata is not None for commit in commits)
    try:
        start = metadata_at(log, before.version if redefined else now.version)
    except LogUnreadable as gone:
        return _answer(source, now, before, Happened.UNREADABLE, str(gone), size)
    feed, feed_detail = _feed_over(start, commits)
    happened, detail = _kind(commits, feed, feed_detail)
    reshaped = _reshaped(start, commits)
    if reshaped is not None:
        happened, detail, feed = (Happened.REPLACED, f"version {reshaped.version} changed its columns", False)
    if happened not in (Happened.NOTHING, Happened.MAINTENANCE):
        gone_file = vacuumed(log, commits)
        if gone_file is not None:
            happened, feed = Happened.UNREADABLE, False
            detail = f"VACUUM has removed {gone_file}, which version {before.version} needs"
    volume = volume_of(commits, size)
    answer = _answer(source, now, before, happened, detail, size, feed)
    files = added_files(log, start, commits) if happened is Happened.APPENDED and not feed else AddedFiles()
    return replace(
        answer,
        rows_added=volume.added,
        rows_removed=volume.removed,
        bytes_read=volume.bytes,
        files_read=volume.files,
        added_paths=files.paths,
        added_names=files.names,
    )


def _kind(commits: list[Commit], feed: bool, feed_detail: str) -> tuple[Happened, str]:
    replaced = next((commit for commit in commits if commit.replaces), None)
    if replaced is not None:
        return (Happened.REPLACED, f"version {replaced.version} is a {replaced.operation}")
    if not commits:
        return Happened.NOTHING, ""
    if not any(commit.changes_data for commit in commits):
        return (Happened.MAINTENANCE, f"only {', '.join(sorted({commit.operation for commit in commits}))}")
    removing = next((commit for commit in commits if commit.removed), None)
    if removing is None:
        return Happened.APPENDED, ""
    if feed:
        return Happened.CHANGED, f"version {removing.version} is a {removing.operation}"
    return Happened.FEED_MISSING, feed_detail


def _feed_over(start: Metadata, commits: list[Commit]) -> tuple[bool, str]:
    """Whether every commit of the range was made with the change feed on."""
    on = start.feed
    for commit in commits:
        if commit.metadata is not None:
            on = commit.metadata.feed
        if not on:
            return False, f"its change feed was off at version {commit.version}"
    return on, "" if on else "its change feed is off"


def _reshaped(start: Metadata, commits: list[Commit]) -> Commit | None:
    """The first commit after which rows have other columns. Delta's feed answers with NULLs across it."""
    for commit in commits:
        if commit.metadata is not None and not commit.metadata.same_rows_as(start):
            return commit
    return None


def vacuumed(log: DeltaLog, commits: list[Commit]) -> str | None:
    """A file that was part of the table at the start of the range and is gone from the disk."""
    born: set[str] = set()
    for commit in commits:
        for file in commit.removes:
            if file.path not in born and not log.data_file(file.path).exists():
                return file.path
        born.update(file.path for file in commit.adds)
    return None


def _answer(
    source: str,
    now: SourcePosition,
    before: SourcePosition | None,
    happened: Happened,
    detail: str,
    size: Size,
    feed: bool = False,
) -> Probe:
    return Probe(
        source,
        now,
        before,
        happened,
        detail,
        table_rows=size.rows or 0,
        table_bytes=size.bytes,
        table_files=size.files,
        feed=feed,
    )
