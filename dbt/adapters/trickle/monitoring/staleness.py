"""Since when a stream table has unread changes, judged by the logs of its sources.

A table is as fresh as the first source change that it has not read. If a source is itself a stream table with unread
changes, those count too. A table is fresh if none of its sources has changed, however long ago it was refreshed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, StampedCommit, last_stamp
from dbt.adapters.trickle.names import STORAGE_SUFFIX
from dbt.adapters.trickle.storages.stamp_fields import BECAUSE, UNVERSIONED
from trickle import SourcePosition
from trickle.reasons import HIDDEN_INPUT_REASONS


@dataclass(frozen=True)
class UnreadChanges:
    """Source changes that a table has not read; `since` is None if there are none."""

    since: int | None = None
    """Commit time of the first unread change, epoch milliseconds."""
    source: str = ""
    """The source with that change."""
    unknown: tuple[str, ...] = ()
    """Sources that could not be checked."""

    @property
    def fresh(self) -> bool:
        return self.since is None and not self.unknown

    def lag(self, now: int) -> int | None:
        """Milliseconds that the rows lag behind; None if unknown."""
        if self.since is not None:
            return max(0, now - self.since)
        return None if self.unknown else 0


Locate = Callable[[str], "DeltaLog | None"]
"""The log of a source by its name, None where only Spark could find it."""


class Staleness:
    """Checks tables, each once: a table may be read by many."""

    def __init__(self, locate: Locate) -> None:
        self._locate = locate
        self._judged: dict[str, UnreadChanges] = {}
        self._first_unread: dict[tuple[str, int], int | None] = {}

    def of(self, stamped: StampedCommit) -> UnreadChanges:
        """The unread changes of a table with this last stamp, those of its ancestors included."""
        parts = [self._volatile(stamped)]
        parts += [self._source(name, position) for name, position in stamped.stamp.frontier.sources.items()]
        changed = [part for part in parts if part.since is not None]
        oldest = min(changed, key=lambda part: (part.since or 0, part.source), default=UnreadChanges())
        unknown = sorted({name for part in parts for name in part.unknown})
        return UnreadChanges(oldest.since, oldest.source, tuple(unknown))

    def _volatile(self, stamped: StampedCommit) -> UnreadChanges:
        """Inputs that change without a commit: the rows are as old as the refresh that wrote them."""
        because = stamped.stamp.extra.get(BECAUSE)
        if isinstance(because, Mapping) and any(code in because for code in HIDDEN_INPUT_REASONS):
            return UnreadChanges(stamped.commit.committed_at, "the clock or the session")
        unversioned = stamped.stamp.extra.get(UNVERSIONED)
        if isinstance(unversioned, list) and unversioned:
            return UnreadChanges(unknown=tuple(str(name) for name in unversioned))
        return UnreadChanges()

    def _source(self, name: str, position: SourcePosition) -> UnreadChanges:
        log = self._locate(name)
        try:
            return UnreadChanges(unknown=(name,)) if log is None else self._versioned(name, position, log)
        except LogUnreadable:
            # If the source is a stream table, its own status reports the damage.
            return UnreadChanges(unknown=(name,))

    def _versioned(self, name: str, position: SourcePosition, log: DeltaLog) -> UnreadChanges:
        key = (name, position.version)
        if key not in self._first_unread:
            self._first_unread[key] = first_unread(log, position)
        since = self._first_unread[key]
        upstream = self._upstream(name, log)
        if since is None:
            return upstream
        # The source's own unread changes may be older.
        own = UnreadChanges(since, name, upstream.unknown)
        return upstream if upstream.since is not None and upstream.since < since else own

    def _upstream(self, name: str, log: DeltaLog) -> UnreadChanges:
        """The unread changes of a source that is itself a stream table."""
        if name not in self._judged:
            self._judged[name] = UnreadChanges()  # ends the recursion for a table that is its own source
            stamped = last_stamp(log) if log.path.name.endswith(STORAGE_SUFFIX) else None
            if stamped is not None:
                self._judged[name] = self.of(stamped)
        return self._judged[name]


def first_unread(log: DeltaLog, position: SourcePosition) -> int | None:
    """When the first change after `position` was committed; None when there is none."""
    if not log.has(position.version) and log.latest <= position.version:
        return log.commit(min(log.versions)).committed_at
    if log.has(position.version) and log.commit(position.version).committed_at != position.committed_at:
        # Dropped and created again: none of its rows were read.
        return log.commit(min(log.versions)).committed_at
    for version in range(position.version + 1, log.latest + 1):
        if not log.has(version):
            # Removed from the log: the change was at the latest the first commit still in the log.
            return log.commit(min(later for later in log.versions if later > version)).committed_at
        commit = log.commit(version)
        if commit.changes_data or commit.replaces:
            return commit.committed_at
    return None
