"""The DAG of the stream tables: they, and everything they are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dbt.adapters.trickle.monitoring.status import TableStatus
from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.project.project import Project


@dataclass(frozen=True)
class Graph:
    """Nodes in an order in which each comes after what it reads."""

    nodes: Mapping[str, Node]
    status: Mapping[str, TableStatus]
    """Of the stream tables among them."""

    def reads(self, key: str) -> tuple[str, ...]:
        return tuple(one for one in self.nodes[key].reads if one in self.nodes)

    @property
    def edges(self) -> list[tuple[str, str]]:
        """From what is read to what reads it."""
        return [(above, key) for key in self.nodes for above in self.reads(key)]

    @property
    def ends(self) -> list[str]:
        """Nodes that no other here reads."""
        read = {above for above, _ in self.edges}
        return [key for key in self.nodes if key not in read]


def graph_of(project: Project, found: Sequence[TableStatus]) -> Graph:
    """Stream tables with their ancestors; what only other models read is left out."""
    ordered: dict[str, Node] = {}

    def visit(node: Node, path: frozenset[str]) -> None:
        for key in sorted(node.reads):
            if key in project.nodes and key not in ordered and key not in path:
                visit(project.nodes[key], path | {key})
        ordered.setdefault(node.id, node)

    for node in project.stream_tables:
        visit(node, frozenset({node.id}))
    return Graph(ordered, {one.node.id: one for one in found})
