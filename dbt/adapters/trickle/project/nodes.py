"""The nodes of a project, from dbt's manifest or from `graph` in a macro."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

STREAM_TABLE = "stream_table"
DATA = frozenset({"model", "seed", "snapshot", "source"})


@dataclass(frozen=True)
class Node:
    """A relation of the project, or an ephemeral model, which has none."""

    id: str
    kind: str
    """model, seed, snapshot or source."""
    name: str
    schema: str
    alias: str
    materialized: str
    config: Mapping[str, Any] = field(default_factory=dict)
    reads: tuple[str, ...] = ()
    """Ids of the nodes it reads."""
    file: str = ""
    checksum: str = ""
    """dbt's checksum of the file, which changes with its text."""
    label: str = ""
    """The name that users write: `revenue`, or `shop.orders` for a table of the source shop."""

    @property
    def relation(self) -> tuple[str, str]:
        """Schema and identifier as the warehouse spells them."""
        return self.schema.lower(), self.alias.lower()

    @property
    def is_stream_table(self) -> bool:
        return self.materialized == STREAM_TABLE


def nodes_of(graph: Mapping[str, Any]) -> dict[str, Node]:
    """Models, seeds, snapshots and sources; tests and other nodes have no data."""
    nodes = [*graph.get("nodes", {}).values(), *graph.get("sources", {}).values()]
    return {node["unique_id"]: _node(node) for node in nodes if node["resource_type"] in DATA}


def _node(raw: Mapping[str, Any]) -> Node:
    kind = str(raw["resource_type"])
    source = kind == "source"
    config = raw.get("config") or {}
    return Node(
        id=str(raw["unique_id"]),
        kind=kind,
        name=str(raw["name"]),
        schema=str(raw.get("schema") or ""),
        alias=str((raw.get("identifier") if source else raw.get("alias")) or raw["name"]),
        materialized=kind if kind != "model" else str(config.get("materialized") or "view"),
        config=config,
        reads=tuple((raw.get("depends_on") or {}).get("nodes") or ()),
        file=str(raw.get("original_file_path") or ""),
        checksum=str((raw.get("checksum") or {}).get("checksum") or ""),
        label=f"{raw['source_name']}.{raw['name']}" if source else str(raw["name"]),
    )
