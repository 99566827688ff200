"""What the stored rows of a stream table stand for, from its newest refresh backwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Optional, Protocol

from trickle.catalog.frontier import SourcePosition
from trickle.graph.agreement import Agreement, Span, VersionOption, agree, blend


@dataclass(frozen=True)
class PastRefresh:
    """One refresh of a stream table, as its storage tells of it."""

    stamped: int
    """The version that carries its stamp."""
    rows: int
    """The version that wrote the rows: refreshes with the same number left the same rows."""
    version: int
    """The newest version that holds these rows: the one to read."""
    frontier: Mapping[str, SourcePosition]
    """What it read: base tables and the storage of stream tables, by name."""
    recorded: Optional[VersionOption] = None
    """What it knew itself to stand for."""
    current: bool = False
    """Whether this very run refreshed it: what it recorded is then the newest there can be."""


class History(Protocol):
    """What must be known of the tables behind a model."""

    def is_stream(self, table: str) -> bool: ...

    def refreshes(self, table: str) -> Iterator[PastRefresh]:
        """Newest first. Rows that somebody else wrote into the storage are passed over."""

    def rows_at(self, table: str, position: SourcePosition) -> Optional[int]:
        """`Refreshed.rows` of a stream table at a position; None when that storage is gone."""

    def same_rows(self, table: str, position: SourcePosition) -> Span:
        """The moments at which a base table has the rows it has at a position."""


class VersionOptions:
    """Answers for one model; what was found is kept, because diamonds ask for the same tables again and again."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._extended: dict[tuple[str, int], Optional[VersionOption]] = {}

    def of(self, table: str, since: Optional[int] = None, until: Optional[int] = None) -> Iterator[VersionOption]:
        """What each refresh of a stream table stands for, newest first, from rows `since` to rows `until`.

        Rows stay right while nothing happens to what they were made from. So one refresh may stand for two vectors:
        the newest at which everything it read still has the same rows, and the one it was made at.
        """
        for refreshed in self._history.refreshes(table):
            if since is not None and refreshed.rows < since:
                return
            if until is not None and refreshed.rows > until:
                continue
            newest = refreshed.recorded if refreshed.current else self._newest(table, refreshed)
            if newest is not None:
                yield newest
            if refreshed.recorded is not None and refreshed.recorded != newest:
                yield refreshed.recorded

    def _newest(self, table: str, refreshed: PastRefresh) -> Optional[VersionOption]:
        key = (table, refreshed.stamped)
        if key not in self._extended:
            self._extended[key] = self._extend(refreshed)
        return self._extended[key]

    def _extend(self, refreshed: PastRefresh) -> Optional[VersionOption]:
        """The newest vector at which all that was read had the rows that were read; None where it recorded better."""
        inputs: dict[str, list[VersionOption]] = {}
        gone: set[str] = set()
        for name, position in refreshed.frontier.items():
            offered = self._as_read(name, position)
            if offered:
                inputs[name] = offered
            else:
                gone.add(name)
        agreed = agree(inputs)
        if isinstance(agreed, Agreement):
            return VersionOption(refreshed.version, agreed.vector, agreed.mixed | gone)
        if refreshed.recorded is not None:
            return None
        vector, mixed = blend({name: offered[0] for name, offered in inputs.items()})
        return VersionOption(refreshed.version, vector, mixed | gone)

    def _as_read(self, name: str, position: SourcePosition) -> list[VersionOption]:
        """Every standing of an input that has the rows it had at a position."""
        if not self._history.is_stream(name):
            return [VersionOption(position.version, {name: self._history.same_rows(name, position)})]
        rows = self._history.rows_at(name, position)
        return [] if rows is None else list(self.of(name, since=rows, until=rows))
