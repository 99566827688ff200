"""Two nodes of a project that would write to one place: a storage has the name of another node's relation."""

from __future__ import annotations

from collections.abc import Mapping

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.names import storage_name
from dbt.adapters.trickle.project.nodes import Node


def refuse_clash(node: Node, nodes: Mapping[str, Node]) -> None:
    """Either of the two is refused, whichever runs first: nothing of the other may be lost."""
    for other in nodes.values():
        if other.id == node.id or not (_is_made(other) and _is_made(node)):
            continue
        for table, neighbour in ((node, other), (other, node)):
            if table.is_stream_table and _storage(table) == neighbour.relation:
                raise CompilationError(
                    f"The stream table {_called(table)} keeps its rows in {'.'.join(_storage(table))}, which is the "
                    f"name of {_called(neighbour)}: give one of the two another `alias`."
                )
        if node.is_stream_table and other.is_stream_table and _folder(node) == _folder(other) != "":
            raise CompilationError(
                f"The stream tables {_called(node)} and {_called(other)} would both keep their rows in "
                f"{_folder(node)}: give one of the two another `alias` or `location_root`."
            )


def _is_made(node: Node) -> bool:
    """Whether dbt makes a relation for the node: a source is somebody else's, and may well be one of ours."""
    return node.kind != "source" and node.materialized != "ephemeral"


def _storage(node: Node) -> tuple[str, str]:
    schema, identifier = node.relation
    return schema, storage_name(identifier)


def _folder(node: Node) -> str:
    root = node.config.get("location_root")
    return f"{str(root).removeprefix('file:').rstrip('/')}/{storage_name(node.alias)}" if root else ""


def _called(node: Node) -> str:
    return f"{node.kind} {node.name} ({'.'.join(node.relation)})"
