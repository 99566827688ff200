"""Nodes of a project that would write to the same table: a storage has the name of another node's relation."""

from __future__ import annotations

from collections.abc import Mapping

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.names import location_folder, storage_name
from dbt.adapters.trickle.project.nodes import Node


def refuse_clash(node: Node, nodes: Mapping[str, Node]) -> None:
    """Refuse either of the two nodes, whichever runs first: the rows of the other must not be lost."""
    for other in nodes.values():
        if other.id == node.id or not (_is_built(other) and _is_built(node)):
            continue
        for table, neighbour in ((node, other), (other, node)):
            if table.is_stream_table and _storage(table) == neighbour.relation:
                raise CompilationError(
                    f"The stream table {_description(table)} stores its rows in {'.'.join(_storage(table))}, the "
                    f"name of {_description(neighbour)}: give one of the two another `alias`."
                )
        if node.is_stream_table and other.is_stream_table and _folder(node) == _folder(other) != "":
            raise CompilationError(
                f"The stream tables {_description(node)} and {_description(other)} would both store their rows in "
                f"{_folder(node)}: give one of the two another `alias` or `location_root`."
            )


def _is_built(node: Node) -> bool:
    """Whether dbt builds a relation for the node. A source may be a storage of ours."""
    return node.kind != "source" and node.materialized != "ephemeral"


def _storage(node: Node) -> tuple[str, str]:
    schema, identifier = node.relation
    return schema, storage_name(identifier)


def _folder(node: Node) -> str:
    root = node.config.get("location_root")
    return str(location_folder(str(root)) / storage_name(node.alias)) if root else ""


def _description(node: Node) -> str:
    return f"{node.kind} {node.name} ({'.'.join(node.relation)})"
