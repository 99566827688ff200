"""What happened to a source since a position, judged by the actions in its log.

`isBlindAppend` is not used: Delta writes false for an INSERT that reads its own table, which only appends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dbt.adapters.trickle.history.delta_files.appended import added_files
from dbt.adapters.trickle.history.delta_files.commit import Commit
from dbt.adapters.trickle.history.delta_files.log import LogUnreadable
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.shape import altered, gained, unreadable_feed
from dbt.adapters.trickle.history.delta_files.snapshot import UNKNOWN_SIZE, Size, metadata_at, protocol_at, size_at
from dbt.adapters.trickle.history.delta_files.vacuumed import gone_before, gone_feed
from dbt.adapters.trickle.history.delta_files.volume import volume_of
from dbt.adapters.trickle.history.table_history import TableHistory
from trickle import Happened, Probe, SourcePosition
from trickle.catalog.change_sources import ChangedRows, FeedRange
from trickle.catalog.changed_rows import Changes
from trickle.catalog.happened import (
    Altered,
    Appended,
    Changed,
    FeedMissing,
    First,
    HistoryLost,
    MaintenanceOnly,
    NotVersioned,
    Overwritten,
    Recreated,
    Unchanged,
)
from trickle.catalog.probe import TableSize
from trickle.catalog.read_columns import EVERY_COLUMN, ReadColumns

NOWHERE = SourcePosition("", -1, 0)
"""The position of a table without versions."""


def probe(log: TableHistory, source: str, before: SourcePosition | None, read: ReadColumns = EVERY_COLUMN) -> Probe:
    """Compare a table now with `before`, as far as these columns of it go; nothing here starts Spark."""
    if not log.exists:
        return Probe(source, NOWHERE, NotVersioned(before=before))
    latest = log.commit(log.latest)
    _insist_on_reading(log)
    definition = metadata_at(log, log.latest)
    now = SourcePosition(definition.id, log.latest, latest.committed_at)
    size = size_for_prices(log)
    first = Probe(source, now, First(), TableSize(size.rows or 0, size.bytes, size.files))
    if before is None:
        return first
    broken = _broken(log, before, now)
    if broken is not None:
        return replace(first, happened=broken)
    commits = [log.commit(version) for version in range(before.version + 1, now.version + 1)]
    try:
        span = _span(log, before, now, commits)
    except LogUnreadable as gone:
        return replace(first, happened=HistoryLost(str(gone)))
    return replace(first, happened=_happened(span, read), volume=volume_of(commits, size))


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


def _broken(log: TableHistory, before: SourcePosition, now: SourcePosition) -> Happened | None:
    """Why the table is not the one of `before`, or its log has a gap since; None where neither is so."""
    if now.version < before.version:
        return Recreated(f"its versions went back from {before.version} to {now.version}")
    if log.has(before.version) and log.commit(before.version).committed_at != before.committed_at:
        return Recreated("it was dropped and created again")
    missing = [version for version in range(before.version + 1, now.version + 1) if not log.has(version)]
    if missing:
        return HistoryLost(f"version {missing[0]} has been cleaned out of its log")
    if not log.has(before.version) and now.table_id != before.table_id:
        changes = (log.commit(version).metadata for version in range(before.version + 1, now.version + 1))
        first = next((metadata for metadata in changes if metadata is not None), None)
        if first is None or first.id == now.table_id:
            return Recreated("it was dropped and created again")
    return None


@dataclass(frozen=True)
class NoFeed:
    """Why the change feed cannot be read over a range."""

    detail: str = ""
    altered: bool = False
    """Whether the table's definition is why, and not that the feed was off."""


@dataclass(frozen=True)
class Span:
    """The commits of a table since a position, the definition it had there, and whether its feed covers them."""

    log: TableHistory
    before: SourcePosition
    now: SourcePosition
    commits: Sequence[Commit]
    start: Metadata
    feed: bool
    without_feed: NoFeed
    """Why the feed cannot be read, where it cannot."""

    def changes(self, rows: ChangedRows) -> Changes:
        return Changes(self.before, rows, gained(self.start, _definition_after(self.start, self.commits)))

    @property
    def fed(self) -> Changes | None:
        """The changes as the feed has them."""
        return self.changes(FeedRange(self.before.version + 1, self.now.version)) if self.feed else None

    def gone(self, by_feed: bool) -> str | None:
        """Why the changes cannot be read although the log has them."""
        file = gone_before(self.log, self.commits) or (gone_feed(self.log, self.commits) if by_feed else None)
        if file is None:
            return None
        return f"VACUUM has removed {file}, which the changes since version {self.before.version} are read from"


def _span(log: TableHistory, before: SourcePosition, now: SourcePosition, commits: list[Commit]) -> Span:
    redefined = any(commit.metadata is not None for commit in commits)
    start = metadata_at(log, before.version if redefined else now.version)
    feed, without_feed = _feed_over(log, start, before.version, commits)
    return Span(log, before, now, commits, start, feed, without_feed)


def _happened(span: Span, read: ReadColumns) -> Happened:
    """The kind of history the commits of the range make up."""
    column = _altered(read, span.start, span.commits)
    replaced = next((commit for commit in span.commits if commit.replaces), None)
    if column:
        gone = span.gone(by_feed=False)
        if gone is not None:
            return HistoryLost(gone, columns_altered=True)
        return Overwritten(None, column, columns_altered=True) if replaced is not None else Altered(column, True)
    if not span.commits:
        return Unchanged()
    if replaced is None and not any(commit.changes_data for commit in span.commits):
        return MaintenanceOnly(f"only {', '.join(sorted({commit.operation for commit in span.commits}))}")
    gone = span.gone(by_feed=span.feed)
    if gone is not None:
        return HistoryLost(gone)
    if replaced is not None:
        detail = f"version {replaced.version} is a {replaced.operation}"
        return Overwritten(span.fed, detail if span.feed else f"{detail}, and {span.without_feed.detail}")
    removing = next((commit for commit in span.commits if commit.removed), None)
    return _appended(span) if removing is None else _changed(span, removing)


def _appended(span: Span) -> Appended:
    if span.feed:
        return Appended(span.fed)
    files = added_files(span.log, span.start, span.commits)
    detail = f"rows were appended, and {span.without_feed.detail}"
    return Appended(None if files is None else span.changes(files), detail)


def _changed(span: Span, removing: Commit) -> Changed | Altered | FeedMissing:
    if span.fed is not None:
        return Changed(span.fed, f"version {removing.version} is a {removing.operation}")
    why = span.without_feed
    return Altered(why.detail) if why.altered else FeedMissing(why.detail)


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


def _definition_after(start: Metadata, commits: Sequence[Commit]) -> Metadata:
    return next((commit.metadata for commit in reversed(commits) if commit.metadata is not None), start)


def _altered(read: ReadColumns, start: Metadata, commits: Sequence[Commit]) -> str:
    """What became of the columns that are read, and at which version; '' where they are what they were."""
    for commit in commits:
        if commit.metadata is not None:
            change = altered(read, start, commit.metadata)
            if change:
                return f"version {commit.version} {change}"
    return ""
