"""The vectors that the stored rows of a stream table reflect, from its newest refresh backwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Optional, Protocol

from trickle.catalog.frontier import SourcePosition
from trickle.graph.agreement import Agreement, Span, VersionOption, agree, combine_vectors


@dataclass(frozen=True)
class PastRefresh:
    """One refresh of a stream table, as recorded in its storage."""

    stamped: int
    """The version of the storage with its stamp."""
    rows: int
    """The version that wrote the rows: refreshes with the same number left the same rows."""
    version: int
    """The newest version that holds these rows: the one to read."""
    frontier: Mapping[str, SourcePosition]
    """The positions it read: base tables and the storage of stream tables, by name."""
    recorded: Optional[VersionOption] = None
    """The vector it recorded in its stamp."""
    current: bool = False
    """Whether this run refreshed it: the recorded vector is then the newest possible."""


class History(Protocol):
    """The facts about a model's inputs that the choice needs."""

    def is_stream(self, table: str) -> bool: ...

    def refreshes(self, table: str) -> Iterator[PastRefresh]:
        """The refreshes, newest first. Commits of other writers to the storage are skipped."""

    def rows_at(self, table: str, position: SourcePosition) -> Optional[int]:
        """`PastRefresh.rows` of a stream table at a position; None when that storage is gone."""

    def same_rows(self, table: str, position: SourcePosition) -> Span:
        """The versions at which a base table has the same rows as at a position."""


class VersionOptions:
    """The version options of the inputs of one model, cached because diamonds need the same tables repeatedly."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._newest_options: dict[tuple[str, int], Optional[VersionOption]] = {}

    def of(self, table: str, since: Optional[int] = None, until: Optional[int] = None) -> Iterator[VersionOption]:
        """The options of a stream table, newest first, for refreshes from rows `since` to rows `until`.

        Rows stay valid while the rows of their inputs do not change. So one refresh may have two vectors: the newest
        at which all its inputs still have the same rows, and the one it recorded.
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
        if key not in self._newest_options:
            self._newest_options[key] = self._extend(refreshed)
        return self._newest_options[key]

    def _extend(self, refreshed: PastRefresh) -> Optional[VersionOption]:
        """The newest vector at which all inputs had the rows that were read; None where the recorded one is better."""
        inputs: dict[str, list[VersionOption]] = {}
        unavailable: set[str] = set()
        for name, position in refreshed.frontier.items():
            options = self._options_with_rows(name, position)
            if options:
                inputs[name] = options
            else:
                unavailable.add(name)
        agreed = agree(inputs)
        if isinstance(agreed, Agreement):
            return VersionOption(refreshed.version, agreed.vector, agreed.mixed | unavailable)
        if refreshed.recorded is not None:
            return None
        vector, mixed = combine_vectors({name: options[0] for name, options in inputs.items()})
        return VersionOption(refreshed.version, vector, mixed | unavailable)

    def _options_with_rows(self, name: str, position: SourcePosition) -> list[VersionOption]:
        """The options of an input with the same rows as at a position."""
        if not self._history.is_stream(name):
            return [VersionOption(position.version, {name: self._history.same_rows(name, position)})]
        rows = self._history.rows_at(name, position)
        return [] if rows is None else list(self.of(name, since=rows, until=rows))
