"""Since when a stream table is behind its sources, judged by their logs at the moment somebody asks.

A table stands for the sources as they were until the first change it has not read. What it reads may itself be behind:
then it is as old as that. A table none of whose sources changed is not behind, however long ago it was refreshed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, StampedCommit, last_stamp
from dbt.adapters.trickle.names import STORAGE_SUFFIX
from dbt.adapters.trickle.storages.stamp_fields import BECAUSE, UNVERSIONED
from trickle import HIDDEN_INPUT_REASONS, SourcePosition


@dataclass(frozen=True)
class Behind:
    """`since` is None when nothing is unread; `unknown` names what could not be judged."""

    since: int | None = None
    """Commit time of the first unread change, epoch milliseconds."""
    source: str = ""
    """Whose change that is."""
    unknown: tuple[str, ...] = ()

    @property
    def fresh(self) -> bool:
        return self.since is None and not self.unknown

    def lag(self, now: int) -> int | None:
        """Milliseconds the rows lag behind; None where nobody can tell."""
        if self.since is not None:
            return max(0, now - self.since)
        return None if self.unknown else 0


Locate = Callable[[str], "DeltaLog | None"]
"""The log behind a source's name, None where only Spark could find it."""


class Staleness:
    """Judges tables, each once: one may be read by many."""

    def __init__(self, locate: Locate) -> None:
        self._locate = locate
        self._judged: dict[str, Behind] = {}
        self._first_unread: dict[tuple[str, int], int | None] = {}

    def of(self, stamped: StampedCommit) -> Behind:
        """A table by its last stamp, with all that it stands upon."""
        parts = [self._restless(stamped)]
        parts += [self._source(name, position) for name, position in stamped.stamp.frontier.sources.items()]
        found = [part for part in parts if part.since is not None]
        oldest = min(found, key=lambda part: (part.since or 0, part.source), default=Behind())
        unknown = sorted({name for part in parts for name in part.unknown})
        return Behind(oldest.since, oldest.source, tuple(unknown))

    def _restless(self, stamped: StampedCommit) -> Behind:
        """What may have changed without a commit: rows are as old as the refresh that wrote them."""
        because = stamped.stamp.extra.get(BECAUSE)
        if isinstance(because, Mapping) and any(code in because for code in HIDDEN_INPUT_REASONS):
            return Behind(stamped.commit.committed_at, "the clock or the session")
        unversioned = stamped.stamp.extra.get(UNVERSIONED)
        if isinstance(unversioned, list) and unversioned:
            return Behind(unknown=tuple(str(name) for name in unversioned))
        return Behind()

    def _source(self, name: str, position: SourcePosition) -> Behind:
        log = self._locate(name)
        try:
            return Behind(unknown=(name,)) if log is None else self._versioned(name, position, log)
        except LogUnreadable:
            # Its own line says what is wrong with it, if it is a stream table.
            return Behind(unknown=(name,))

    def _versioned(self, name: str, position: SourcePosition, log: DeltaLog) -> Behind:
        key = (name, position.version)
        if key not in self._first_unread:
            self._first_unread[key] = first_unread(log, position)
        since = self._first_unread[key]
        above = self._above(name, log)
        if since is None:
            return above
        # What is above is older still where its own sources changed before.
        own = Behind(since, name, above.unknown)
        return above if above.since is not None and above.since < since else own

    def _above(self, name: str, log: DeltaLog) -> Behind:
        """How far a source that is a stream table is behind itself."""
        if name not in self._judged:
            self._judged[name] = Behind()  # a table that is its own source must not be followed for ever
            stamped = last_stamp(log) if log.path.name.endswith(STORAGE_SUFFIX) else None
            if stamped is not None:
                self._judged[name] = self.of(stamped)
        return self._judged[name]


def first_unread(log: DeltaLog, position: SourcePosition) -> int | None:
    """When the first change after `position` was committed; None when there is none."""
    if not log.has(position.version) and log.latest <= position.version:
        return log.commit(min(log.versions)).committed_at
    if log.has(position.version) and log.commit(position.version).committed_at != position.committed_at:
        # Dropped and created again: nothing of what is there was read.
        return log.commit(min(log.versions)).committed_at
    for version in range(position.version + 1, log.latest + 1):
        if not log.has(version):
            # Cleaned out of the log: at the latest, it was the first commit that is still there.
            return log.commit(min(one for one in log.versions if one > version)).committed_at
        commit = log.commit(version)
        if commit.changes_data or commit.replaces:
            return commit.committed_at
    return None
