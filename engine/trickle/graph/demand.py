"""What a graph makes of schedules: what `calculated` comes to, and which tables are due because others are.

Both look through whatever lies between two stream tables: views, ephemeral models, tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Optional, Union

from trickle.schedule.due import Due, judge_due
from trickle.schedule.slots import Calculated, ConfiguredSchedule, EveryRun, Schedule, Timed, combine


@dataclass(frozen=True)
class Vertex:
    """A node of the graph. `asked` is what a stream table's config says; None: nothing."""

    id: str
    reads: tuple[str, ...] = ()
    is_stream_table: bool = False
    configured: Optional[ConfiguredSchedule] = None


@dataclass(frozen=True)
class Graph:
    """All nodes of a project, whatever was selected."""

    vertices: Mapping[str, Vertex]
    _known: dict[str, Schedule] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def readers(self) -> Mapping[str, tuple[str, ...]]:
        """Who reads a node directly."""
        found: dict[str, list[str]] = {}
        for vertex in self.vertices.values():
            for read in vertex.reads:
                found.setdefault(read, []).append(vertex.id)
        return {read: tuple(sorted(set(readers))) for read, readers in found.items()}

    def dependents(self, start: str) -> Iterator[str]:
        """The stream tables below a node, near and far."""
        seen = {start}
        waiting = [start]
        while waiting:
            for reader in self.readers.get(waiting.pop(), ()):
                if reader not in seen:
                    seen.add(reader)
                    waiting.append(reader)
                    if self.vertices[reader].is_stream_table:
                        yield reader

    def schedule(self, table: str) -> Schedule:
        """A stream table's own schedule, or the tightest of all that depend on it, or every run when none has one."""
        if table not in self._known:
            configured = self.vertices[table].configured
            self._known[table] = (
                self._calculated(table) if configured is None or _is_left_open(configured) else _own(configured)
            )
        return self._known[table]

    def due(
        self,
        last: Mapping[str, Optional[int]],
        tick: int,
        selected: Optional[frozenset[str]] = None,
        changed: frozenset[str] = frozenset(),
    ) -> Mapping[str, Due]:
        """Every stream table, judged at `tick`. `last`: table → start of the run that refreshed it last. What was
        `changed` since is due whatever its schedule says.

        A table that is due by its slot makes those it reads due, or it would join rows of different moments. Only
        tables that are run now (`selected`; None: all) ask for others. One that is merely refreshed at every run asks
        for none, since it would make the schedules of all it reads void.
        """
        tables = [one.id for one in self.vertices.values() if one.is_stream_table]
        judged = {table: judge_due(self.schedule(table), last.get(table), tick) for table in tables}
        alone = {
            table: replace(due, due=True, why="changed") if table in changed else due for table, due in judged.items()
        }
        asking = {
            table
            for table, due in alone.items()
            if due.due and due.why != "every_run" and (selected is None or table in selected)
        }
        return {table: self._needed(table, due, asking) for table, due in alone.items()}

    def _needed(self, table: str, due: Due, asking: set[str]) -> Due:
        if due.due:
            return due
        needed_by = next((one for one in sorted(self.dependents(table)) if one in asking), None)
        return due if needed_by is None else replace(due, due=True, why="needed", needed_by=needed_by)

    def _calculated(self, table: str) -> Schedule:
        found: list[Union[Timed, EveryRun]] = []
        for dependent in self.dependents(table):
            configured = self.vertices[dependent].configured
            if configured is not None and not isinstance(configured, Calculated):
                found.append(configured)
        return combine(tuple(found))


def _is_left_open(configured: ConfiguredSchedule) -> bool:
    return isinstance(configured, Calculated)


def _own(configured: ConfiguredSchedule) -> Schedule:
    assert not isinstance(configured, Calculated)
    return configured
