"""The stream tables of a project that are due, and cycles that dbt cannot see."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock

from dbt.adapters.trickle.names import storage_name
from dbt.adapters.trickle.options.max_consecutive_errors import DEFAULT as DEFAULT_MOST_ERRORS
from dbt.adapters.trickle.options.schedule import schedule_from_text
from dbt.adapters.trickle.project import Node, Project
from dbt.adapters.trickle.scheduling.memory import RefreshMemory, read_memory
from trickle import TrickleError
from trickle.graph.circle import find_circle
from trickle.graph.demand import Graph, Vertex
from trickle.schedule.due import Due
from trickle.schedule.parse import parse_schedule
from trickle.schedule.slots import ConfiguredSchedule, OnUpdate, Schedule

MOST_INVOCATIONS = 4
"""Invocations kept in memory: a process may run dbt many times, and seldom more than once at a time."""

CHANGED = "changed"
"""The reason of a table that is due because its model was edited since its last refresh."""


@dataclass(frozen=True)
class DueTables:
    """All stream tables of a project at one tick, decided once for all nodes and threads of an invocation."""

    project: Project
    graph: Graph
    memories: Mapping[str, RefreshMemory]
    tick: int
    selected: frozenset[str] | None = None
    """The ids of the nodes in the run; None: all."""

    @cached_property
    def due(self) -> Mapping[str, Due]:
        last = {table: self._last(table) for table in self.memories}
        # A suspended table is not refreshed, so it does not need its sources refreshed either.
        running = frozenset(self.memories if self.selected is None else self.selected) - self.suspended
        return self.graph.due(last, self.tick, running, self.edited)

    def _last(self, table: str) -> int | None:
        """The tick of the last refresh; of the last one that wrote rows where a schedule limits updates."""
        memory = self.memories[table]
        return memory.written if isinstance(self.schedule(table), OnUpdate) else memory.tick

    @cached_property
    def suspended(self) -> frozenset[str]:
        """Tables that are not refreshed: those suspended by hand, and those that failed too often and were not edited
        since."""
        by_hand = {table for table, memory in self.memories.items() if memory.suspended_since is not None}
        return frozenset(by_hand | (self.failed_too_often - self.edited))

    @cached_property
    def failed_too_often(self) -> frozenset[str]:
        most = {table: self.project.nodes[table].config.get("max_consecutive_errors") for table in self.memories}
        return frozenset(
            table for table, memory in self.memories.items() if memory.errors >= (most[table] or DEFAULT_MOST_ERRORS)
        )

    @cached_property
    def edited(self) -> frozenset[str]:
        return frozenset(
            table for table, memory in self.memories.items() if _is_edited(self.project.nodes[table], memory)
        )

    def schedule(self, table: str) -> Schedule:
        return self.graph.schedule(table)


def _is_edited(node: Node, memory: RefreshMemory) -> bool:
    return bool(memory.file and node.checksum) and memory.file != node.checksum


def due_tables_of(project: Project, tick: int, selected: frozenset[str] | None = None) -> DueTables:
    """Read the last refresh of every stream table. Nothing is written, and Spark is not used."""
    memories = {node.id: memory_of(project, node) for node in project.stream_tables}
    nodes = {node.id: _with_applied_schedule(node, memories.get(node.id)) for node in project.nodes.values()}
    return DueTables(project, schedule_graph(nodes, project.profile.time_zone), memories, tick, selected)


def memory_of(project: Project, node: Node) -> RefreshMemory:
    """The last refresh of a stream table, from its log and what is stored between runs."""
    check, suspension = project.memory.quiet_refresh(*node.relation), project.memory.suspension(*node.relation)
    return read_memory(project.storage_log(node), check, suspension)


def _with_applied_schedule(node: Node, memory: RefreshMemory | None) -> Node:
    """The node with the schedule that was applied last, if `on_configuration_change` is `continue`."""
    on_change = node.config.get("on_configuration_change")
    if memory is None or memory.stamped is None or getattr(on_change, "value", on_change) != "continue":
        return node
    return replace(node, config={**node.config, "schedule": schedule_from_text(memory.schedule)})


def schedule_graph(nodes: Mapping[str, Node], zone: str) -> Graph:
    """The graph of all nodes with their schedules, edges that dbt does not see included."""
    reads = physical_reads(nodes)
    return Graph(
        {
            node.id: Vertex(node.id, reads[node.id], node.is_stream_table, _schedule_of(node, zone))
            for node in nodes.values()
        }
    )


def _schedule_of(node: Node, zone: str) -> ConfiguredSchedule | None:
    """The node's schedule. An invalid one is refused when its own model runs; until then it does not affect others."""
    configured = node.config.get("schedule")
    if not node.is_stream_table or configured is None:
        return None
    try:
        return parse_schedule(configured, zone)
    except TrickleError:
        return None


def schedule_faults(nodes: Mapping[str, Node]) -> list[str]:
    """An error for each invalid schedule: `dbt run` will refuse these models."""
    faults = []
    for node in nodes.values():
        try:
            if node.is_stream_table and node.config.get("schedule") is not None:
                parse_schedule(node.config["schedule"])
        except TrickleError as wrong:
            faults.append(f"{node.name}: {wrong.message}")
    return sorted(faults)


def physical_reads(nodes: Mapping[str, Node]) -> dict[str, tuple[str, ...]]:
    """Node → the nodes it reads. A source whose table is built by a model reads that model."""
    builders = _builders(nodes)
    return {
        node.id: ((builder,) if (builder := builders.get(node.relation)) else ())
        if node.kind == "source"
        else node.reads
        for node in nodes.values()
    }


def circle_through(node: Node, nodes: Mapping[str, Node], named: Sequence[tuple[str, str]]) -> str:
    """The path from a node back to itself as text; '' if there is none. `named`: the relations its SQL names."""
    builders = _builders(nodes)
    declared = physical_reads(nodes)
    by_name = [builders[relation] for relation in named if relation in builders]
    # A source is a name in the SQL too; the path that the project declares is the one its author knows.
    path = find_circle(node.id, declared) or find_circle(node.id, {**declared, node.id: by_name})
    return " → ".join(_node_name(nodes[step]) for step in path) if path else ""


def _node_name(node: Node) -> str:
    return f"source {node.label}" if node.kind == "source" else node.label


def _builders(nodes: Mapping[str, Node]) -> dict[tuple[str, str], str]:
    """Relation → the node that builds it; storages included."""
    by_relation: dict[tuple[str, str], str] = {}
    for node in nodes.values():
        if node.kind == "source" or node.materialized == "ephemeral":
            continue
        schema, identifier = node.relation
        by_relation[schema, identifier] = node.id
        if node.is_stream_table:
            by_relation[schema, storage_name(identifier)] = node.id
    return by_relation


class DueTablesByInvocation:
    """The due tables of the last few invocations of this process."""

    def __init__(self) -> None:
        self._rounds: OrderedDict[str, DueTables] = OrderedDict()
        self._lock = Lock()

    def of(self, invocation: str, judge: Callable[[], DueTables]) -> DueTables:
        """The first node of an invocation decides for all: which tables are due does not change while it runs."""
        with self._lock:
            if invocation not in self._rounds:
                self._rounds[invocation] = judge()
                while len(self._rounds) > MOST_INVOCATIONS:
                    self._rounds.popitem(last=False)
            return self._rounds[invocation]
