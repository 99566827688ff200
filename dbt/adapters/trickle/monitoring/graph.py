"""The DAG of the stream tables and all their ancestors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dbt.adapters.trickle.monitoring.status import TableStatus
from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.project.project import Project


@dataclass(frozen=True)
class ModelGraph:
    """Nodes in topological order: each comes after the nodes it reads."""

    nodes: Mapping[str, Node]
    status: Mapping[str, TableStatus]
    """The status of each stream table among the nodes."""

    def reads(self, key: str) -> tuple[str, ...]:
        return tuple(key for key in self.nodes[key].reads if key in self.nodes)

    @property
    def edges(self) -> list[tuple[str, str]]:
        """(read node, reading node)."""
        return [(source, key) for key in self.nodes for source in self.reads(key)]

    @property
    def ends(self) -> list[str]:
        """Nodes that no other node of the graph reads."""
        read = {source for source, _ in self.edges}
        return [key for key in self.nodes if key not in read]


def model_graph(project: Project, statuses: Sequence[TableStatus]) -> ModelGraph:
    """The stream tables with their ancestors, and no other nodes."""
    ordered: dict[str, Node] = {}

    def visit(node: Node, path: frozenset[str]) -> None:
        for key in sorted(node.reads):
            if key in project.nodes and key not in ordered and key not in path:
                visit(project.nodes[key], path | {key})
        ordered.setdefault(node.id, node)

    for node in project.stream_tables:
        visit(node, frozenset({node.id}))
    return ModelGraph(ordered, {status.node.id: status for status in statuses})
