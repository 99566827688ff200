"""Schedules in a graph: the schedule of `calculated` tables, and the tables that are due because others are.

Both follow paths through the nodes between two stream tables: views, ephemeral models, tables.
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
    """A node of the graph. `configured` is a stream table's schedule in its config; None: not set."""

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
        """Node → the nodes that read it directly."""
        by_input: dict[str, list[str]] = {}
        for vertex in self.vertices.values():
            for read in vertex.reads:
                by_input.setdefault(read, []).append(vertex.id)
        return {read: tuple(sorted(set(readers))) for read, readers in by_input.items()}

    def dependents(self, start: str) -> Iterator[str]:
        """The stream tables downstream of a node, direct and indirect."""
        seen = {start}
        pending = [start]
        while pending:
            for reader in self.readers.get(pending.pop(), ()):
                if reader not in seen:
                    seen.add(reader)
                    pending.append(reader)
                    if self.vertices[reader].is_stream_table:
                        yield reader

    def schedule(self, table: str) -> Schedule:
        """A stream table's own schedule, or the tightest of its dependents', or every run when none has one."""
        if table not in self._known:
            configured = self.vertices[table].configured
            self._known[table] = (
                self._calculated(table) if configured is None or _is_calculated(configured) else _configured(configured)
            )
        return self._known[table]

    def due(
        self,
        last: Mapping[str, Optional[int]],
        tick: int,
        selected: Optional[frozenset[str]] = None,
        changed: frozenset[str] = frozenset(),
    ) -> Mapping[str, Due]:
        """Table → whether it is due at `tick`. `last`: table → start of the run that refreshed it last. Tables in
        `changed` are due whatever their schedule is.

        A table that is due by its slot makes its inputs due, or it would join rows of different moments. Only tables
        of this run (`selected`; None: all) demand others. A table that is refreshed at every run demands none, since
        that would void the schedules of all its inputs.
        """
        tables = [vertex.id for vertex in self.vertices.values() if vertex.is_stream_table]
        judged = {table: judge_due(self.schedule(table), last.get(table), tick) for table in tables}
        own = {
            table: replace(due, due=True, why="changed") if table in changed else due for table, due in judged.items()
        }
        demanding = {
            table
            for table, due in own.items()
            if due.due and due.why != "every_run" and (selected is None or table in selected)
        }
        return {table: self._with_demand(table, due, demanding) for table, due in own.items()}

    def _with_demand(self, table: str, due: Due, demanding: set[str]) -> Due:
        if due.due:
            return due
        needed_by = next((table for table in sorted(self.dependents(table)) if table in demanding), None)
        return due if needed_by is None else replace(due, due=True, why="needed", needed_by=needed_by)

    def _calculated(self, table: str) -> Schedule:
        schedules: list[Union[Timed, EveryRun]] = []
        for dependent in self.dependents(table):
            configured = self.vertices[dependent].configured
            if configured is not None and not isinstance(configured, Calculated):
                schedules.append(configured)
        return combine(tuple(schedules))


def _is_calculated(configured: ConfiguredSchedule) -> bool:
    return isinstance(configured, Calculated)


def _configured(configured: ConfiguredSchedule) -> Schedule:
    assert not isinstance(configured, Calculated)
    return configured
