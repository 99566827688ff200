"""A project's graph and what its storages remember → which stream tables are due, and circles that dbt cannot see."""

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
from dbt.adapters.trickle.scheduling.memory import QuietRefreshes, RefreshMemory, read_memory
from dbt.adapters.trickle.scheduling.suspensions import Suspensions
from trickle import (
    ConfiguredSchedule,
    Due,
    Graph,
    OnUpdate,
    Schedule,
    TrickleError,
    Vertex,
    find_circle,
    parse_schedule,
)

ROUNDS_KEPT = 4
"""A process may run dbt many times, and seldom more than one at once."""

CHANGED = "changed"
"""Why a table is due whose model was edited since it was refreshed."""


@dataclass(frozen=True)
class Round:
    """All stream tables of a project, judged once for all nodes and threads of an invocation."""

    project: Project
    graph: Graph
    memories: Mapping[str, RefreshMemory]
    tick: int
    selected: frozenset[str] | None = None
    """What is run; None: everything."""

    @cached_property
    def due(self) -> Mapping[str, Due]:
        last = {table: self._last(table) for table in self.memories}
        # What is suspended will not be refreshed, so it needs nothing either.
        running = frozenset(self.memories if self.selected is None else self.selected) - self.suspended
        return self.graph.due(last, self.tick, running, self.edited)

    def _last(self, table: str) -> int | None:
        """A limit on updates counts updates: a check that found none leaves the stretch open for one."""
        memory = self.memories[table]
        return memory.written if isinstance(self.schedule(table), OnUpdate) else memory.tick

    @cached_property
    def suspended(self) -> frozenset[str]:
        """Tables that will not be tried: those somebody suspended, and those that failed too often and were not edited
        since, for an edited SELECT is tried."""
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


def judge_round(project: Project, tick: int, selected: frozenset[str] | None = None) -> Round:
    """Read what every stream table remembers; nothing is written, and Spark is not asked."""
    memories = {node.id: memory_of(project, node) for node in project.stream_tables}
    nodes = {node.id: _as_it_stands(node, memories.get(node.id)) for node in project.nodes.values()}
    return Round(project, graph_of(nodes, project.profile.time_zone), memories, tick, selected)


def memory_of(project: Project, node: Node) -> RefreshMemory:
    """What the log of a stream table and the small files of the warehouse remember of it."""
    schema, alias = node.relation
    check = QuietRefreshes(project.warehouse.checks).of(schema, storage_name(alias))
    return read_memory(project.storage_log(node), check, Suspensions(project.warehouse.rulings).of(schema, alias))


def _as_it_stands(node: Node, memory: RefreshMemory | None) -> Node:
    """With `on_configuration_change: continue` the schedule that was applied last holds."""
    said = node.config.get("on_configuration_change")
    if memory is None or memory.stamped is None or getattr(said, "value", said) != "continue":
        return node
    return replace(node, config={**node.config, "schedule": schedule_from_text(memory.schedule)})


def graph_of(nodes: Mapping[str, Node], zone: str) -> Graph:
    """Everything that lies between stream tables, with the steps that dbt does not see."""
    reads = physical_reads(nodes)
    return Graph(
        {node.id: Vertex(node.id, reads[node.id], node.is_stream_table, _asked(node, zone)) for node in nodes.values()}
    )


def _asked(node: Node, zone: str) -> ConfiguredSchedule | None:
    """A schedule that is wrong is refused when its own model runs; until then it has no say in others."""
    said = node.config.get("schedule")
    if not node.is_stream_table or said is None:
        return None
    try:
        return parse_schedule(said, zone)
    except TrickleError:
        return None


def schedule_faults(nodes: Mapping[str, Node]) -> list[str]:
    """What is wrong with schedules, a sentence each: `dbt run` will refuse these models."""
    found = []
    for node in nodes.values():
        try:
            if node.is_stream_table and node.config.get("schedule") is not None:
                parse_schedule(node.config["schedule"])
        except TrickleError as wrong:
            found.append(f"{node.name}: {wrong.message}")
    return sorted(found)


def physical_reads(nodes: Mapping[str, Node]) -> dict[str, tuple[str, ...]]:
    """Node → the nodes it reads. A source whose table is made by a model reads that model."""
    makers = _makers(nodes)
    return {
        node.id: ((maker,) if (maker := makers.get(node.relation)) else ()) if node.kind == "source" else node.reads
        for node in nodes.values()
    }


def circle_through(node: Node, nodes: Mapping[str, Node], named: Sequence[tuple[str, str]]) -> str:
    """The way from a node back to itself, in words; '' when there is none. `named`: the relations its SQL names."""
    makers = _makers(nodes)
    declared = physical_reads(nodes)
    by_name = [makers[relation] for relation in named if relation in makers]
    # A source is a name in the SQL too; the way that the project declares is the one its author knows.
    way = find_circle(node.id, declared) or find_circle(node.id, {**declared, node.id: by_name})
    return " → ".join(_called(nodes[step]) for step in way) if way else ""


def _called(node: Node) -> str:
    return f"source {node.label}" if node.kind == "source" else node.label


def _makers(nodes: Mapping[str, Node]) -> dict[tuple[str, str], str]:
    """Relation → the node that makes it, its storage included."""
    found: dict[tuple[str, str], str] = {}
    for node in nodes.values():
        if node.kind == "source" or node.materialized == "ephemeral":
            continue
        schema, identifier = node.relation
        found[schema, identifier] = node.id
        if node.is_stream_table:
            found[schema, storage_name(identifier)] = node.id
    return found


class Rounds:
    """The rounds of this process by invocation, the last few only."""

    def __init__(self) -> None:
        self._rounds: OrderedDict[str, Round] = OrderedDict()
        self._lock = Lock()

    def of(self, invocation: str, judge: Callable[[], Round]) -> Round:
        """The first node of an invocation judges for all: what is due does not change while it runs."""
        with self._lock:
            if invocation not in self._rounds:
                self._rounds[invocation] = judge()
                while len(self._rounds) > ROUNDS_KEPT:
                    self._rounds.popitem(last=False)
            return self._rounds[invocation]
