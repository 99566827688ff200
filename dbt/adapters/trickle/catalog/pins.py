"""Which version of each base table a dbt invocation reads, and the vectors of the stream tables it has refreshed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.project.nodes import Node, nodes_of
from trickle import Name, SourcePosition

MOST_INVOCATIONS = 4
"""A process may run dbt many times, and seldom more than one at once; the pins of an ended invocation are dropped."""


@dataclass(frozen=True)
class Pin:
    """A base table at the version the invocation reads. `lost` says that an earlier pin could not be kept."""

    version: int
    committed_at: int
    lost: bool = False


@dataclass(frozen=True)
class RefreshedTable:
    """A stream table this invocation has refreshed: its storage's version, the positions it read, and its vector."""

    version: int
    frontier: Mapping[str, SourcePosition]
    vector: Mapping[str, SourcePosition]
    mixed: frozenset[str]


@dataclass
class Invocation:
    """State that all threads of one invocation share."""

    _nodes: Mapping[str, Node] | None = None
    _pins: dict[Name, Pin] = field(default_factory=dict)
    _refreshed: dict[str, RefreshedTable] = field(default_factory=dict)
    _shown: dict[str, bool] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def nodes(self, graph: Mapping[str, Any]) -> Mapping[str, Node]:
        """The project's nodes, taken from dbt's graph once."""
        with self._lock:
            if self._nodes is None:
                self._nodes = nodes_of(graph)
            return self._nodes

    def pin(self, table: Name, log: DeltaLog) -> Pin:
        """The first to ask decides for all; a table that was dropped and created again since is pinned anew."""
        with self._lock:
            pinned = self._pins.get(table)
            if pinned is None:
                self._pins[table] = _newest(log)
            elif not log.has(pinned.version) or log.commit(pinned.version).committed_at != pinned.committed_at:
                self._pins[table] = replace(_newest(log), lost=True)
            return self._pins[table]

    def pinned(self, table: Name) -> Pin | None:
        with self._lock:
            return self._pins.get(table)

    def add_refreshed(self, table: str, refreshed: RefreshedTable) -> None:
        with self._lock:
            self._refreshed[table] = refreshed

    def is_shown(self, table: str, ask: Callable[[], bool]) -> bool:
        """Whether a stream table's view shows its storage, as the first who needed it was answered."""
        with self._lock:
            known = self._shown.get(table)
        if known is None:
            known = ask()
            with self._lock:
                self._shown.setdefault(table, known)
        return known

    def shown(self, table: str) -> None:
        """The view was checked or put in place by this invocation."""
        with self._lock:
            self._shown[table] = True

    def refreshed_table(self, table: str) -> RefreshedTable | None:
        with self._lock:
            return self._refreshed.get(table)


def _newest(log: DeltaLog) -> Pin:
    return Pin(log.latest, log.commit(log.latest).committed_at)


class Invocations:
    """Every invocation of this process by its id, the last few only."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Invocation] = OrderedDict()
        self._lock = Lock()

    def of(self, invocation: str) -> Invocation:
        with self._lock:
            known = self._known.setdefault(invocation, Invocation())
            self._known.move_to_end(invocation)
            while len(self._known) > MOST_INVOCATIONS:
                self._known.popitem(last=False)
            return known


INVOCATIONS = Invocations()
