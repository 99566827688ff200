"""What happened to a source since a position, judged by the actions in its log.

`isBlindAppend` is never asked: Delta writes false for an INSERT that reads its own table, which only appends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dbt.adapters.trickle.history.delta_files.appended import AddedFiles, added_files
from dbt.adapters.trickle.history.delta_files.commit import Commit
from dbt.adapters.trickle.history.delta_files.log import LogUnreadable
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.shape import altered, gained, unreadable_feed
from dbt.adapters.trickle.history.delta_files.snapshot import UNKNOWN_SIZE, Size, metadata_at, protocol_at, size_at
from dbt.adapters.trickle.history.delta_files.vacuumed import gone_before, gone_feed
from dbt.adapters.trickle.history.delta_files.volume import volume_of
from dbt.adapters.trickle.history.table_history import TableHistory
from trickle import Happened, Probe, SourcePosition
from trickle.catalog.read_columns import EVERY_COLUMN, ReadColumns

NOWHERE = SourcePosition("", -1, 0)
"""The position of a table without versions."""


def probe(log: TableHistory, source: str, before: SourcePosition | None, read: ReadColumns = EVERY_COLUMN) -> Probe:
    """Compare a table now with `before`, as far as these columns of it go; nothing here starts Spark."""
    if not log.exists:
        return Probe(source, NOWHERE, before, Happened.NOT_VERSIONED, "it is not a Delta table")
    latest = log.commit(log.latest)
    _insist_on_reading(log)
    definition = metadata_at(log, log.latest)
    now = SourcePosition(definition.id, log.latest, latest.committed_at)
    size = size_for_prices(log)
    if before is None:
        return _answer(source, now, None, Happened.NOTHING, "it is read for the first time", size, definition.feed)
    happened, detail = _identity(log, before, now)
    if happened is not None:
        return _answer(source, now, before, happened, detail, size)
    commits = [log.commit(version) for version in range(before.version + 1, now.version + 1)]
    return _judge(log, source, before, now, commits, size, read)


def _insist_on_reading(log: TableHistory) -> None:
    """Of a version that is not the newest, files may be gone that nobody reads any more."""
    wrong = log.damage() if log.whole.latest == log.latest else ""
    if wrong:
        raise LogUnreadable(wrong, log.path)


def size_for_prices(log: TableHistory) -> Size:
    """A table too new for the log reader can still be refreshed: only its price is not known."""
    try:
        return size_at(log, log.latest)
    except LogUnreadable:
        return UNKNOWN_SIZE


def _identity(log: TableHistory, before: SourcePosition, now: SourcePosition) -> tuple[Happened | None, str]:
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
    log: TableHistory,
    source: str,
    before: SourcePosition,
    now: SourcePosition,
    commits: list[Commit],
    size: Size,
    read: ReadColumns,
) -> Probe:
    """The kind of history the commits of the range make up."""
    redefined = any(commit.metadata is not None for commit in commits)
    try:
        start = metadata_at(log, before.version if redefined else now.version)
        feed, without_feed = _feed_over(log, start, before.version, commits)
    except LogUnreadable as gone:
        return _answer(source, now, before, Happened.UNREADABLE, str(gone), size)
    happened, detail = _kind(commits)
    column = _altered(read, start, commits)
    if column:
        happened = Happened.REPLACED if happened is Happened.REPLACED else Happened.ALTERED
        detail, feed = column, False
    elif not feed and happened in (Happened.CHANGED, Happened.REPLACED):
        happened, detail = _unfed(happened, detail, without_feed)
    files = added_files(log, start, commits) if happened is Happened.APPENDED and not feed else AddedFiles()
    if happened not in (Happened.NOTHING, Happened.MAINTENANCE):
        gone_file = gone_before(log, commits) or (gone_feed(log, commits) if feed else None)
        if gone_file is not None:
            happened, feed, files = Happened.UNREADABLE, False, AddedFiles()
            detail = f"VACUUM has removed {gone_file}, which the changes since version {before.version} are read from"
    if happened is Happened.APPENDED and not feed:
        detail = f"rows were appended, and {without_feed.detail}"
    volume = volume_of(commits, size)
    return replace(
        _answer(source, now, before, happened, detail, size, feed, bool(column)),
        gained=gained(start, _definition_after(start, commits)),
        rows_added=volume.added,
        rows_removed=volume.removed,
        bytes_read=volume.bytes,
        files_read=volume.files,
        added_paths=files.paths,
        added_names=files.names,
    )


def _kind(commits: list[Commit]) -> tuple[Happened, str]:
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
    return Happened.CHANGED, f"version {removing.version} is a {removing.operation}"


def _unfed(happened: Happened, detail: str, why: NoFeed) -> tuple[Happened, str]:
    """What happened to a source whose rows changed and whose feed does not tell them."""
    if happened is Happened.REPLACED:
        return happened, f"{detail}, and {why.detail}"
    return (Happened.ALTERED if why.altered else Happened.FEED_MISSING), why.detail


@dataclass(frozen=True)
class NoFeed:
    """Why the change feed cannot be read over a range."""

    detail: str = ""
    altered: bool = False
    """Whether the table's definition is why, and not that the feed was off."""


def _feed_over(log: TableHistory, start: Metadata, first: int, commits: list[Commit]) -> tuple[bool, NoFeed]:
    """Whether every commit of the range was made with the change feed on, and all of them can be read together.

    Delta reads a feed under the newest definition there is, which may be newer than the range.
    """
    on = start.feed
    for commit in commits:
        if commit.metadata is not None:
            on = commit.metadata.feed
        if not on:
            return False, NoFeed(f"its change feed was off at version {commit.version}")
    if not on:
        return False, NoFeed("its change feed is off")
    whole = log.whole
    later = [whole.commit(version) for version in range(log.latest + 1, whole.latest + 1) if whole.has(version)]
    return _read_together(log, start, first, [*commits, *later])


def _read_together(log: TableHistory, start: Metadata, first: int, commits: list[Commit]) -> tuple[bool, NoFeed]:
    """Whether all that was written is read right under the last definition, by readers of the same kind."""
    defined = [(commit, commit.metadata) for commit in commits if commit.metadata is not None]
    if defined:
        last, latest = defined[-1]
        for older in (start, *(metadata for _, metadata in defined)):
            why = unreadable_feed(older, latest)
            if why:
                culprit = next(
                    commit for commit, metadata in defined if unreadable_feed(start, metadata) or commit is last
                )
                return False, NoFeed(f"version {culprit.version} {why}", altered=True)
    protocols = [(commit.version, commit.protocol) for commit in commits if commit.protocol is not None]
    known = protocol_at(log, first) if protocols else None
    for version, protocol in protocols:
        if protocol != known:
            return False, NoFeed(f"version {version} changed what its readers must know", altered=True)
    return True, NoFeed()


def _definition_after(start: Metadata, commits: list[Commit]) -> Metadata:
    return next((commit.metadata for commit in reversed(commits) if commit.metadata is not None), start)


def _altered(read: ReadColumns, start: Metadata, commits: list[Commit]) -> str:
    """What became of the columns that are read, and at which version; '' where they are what they were."""
    for commit in commits:
        if commit.metadata is not None:
            what = altered(read, start, commit.metadata)
            if what:
                return f"version {commit.version} {what}"
    return ""


def _answer(
    source: str,
    now: SourcePosition,
    before: SourcePosition | None,
    happened: Happened,
    detail: str,
    size: Size,
    feed: bool = False,
    altered: bool = False,
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
        altered=altered,
    )
