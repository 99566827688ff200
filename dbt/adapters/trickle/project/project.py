"""A project: its nodes and the logs of their tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.histories import Histories
from dbt.adapters.trickle.names import PART, STORAGE_SUFFIX, folder_named, location_folder, storage_name
from dbt.adapters.trickle.ports import Memory
from dbt.adapters.trickle.project.errors import ProjectError, nearest
from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.project.outcome import Outcome, read_outcomes
from dbt.adapters.trickle.project.profile import Profile
from dbt.adapters.trickle.warehouses.embedded.folder_memory import FolderMemory
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders
from trickle.sql.references import is_path

Key = tuple[str, str]
"""Schema and identifier, lower-cased."""


@dataclass(frozen=True)
class Project:
    """The project as dbt compiled it last, and its warehouse."""

    root: Path
    name: str
    nodes: Mapping[str, Node]
    profile: Profile
    artifacts: Path | None = None
    """The folder of the manifest; None if the nodes come from a running dbt."""
    histories: Histories = field(default_factory=Histories, compare=False)
    stored: Memory | None = field(default=None, compare=False)
    """None: what is stored between runs is in the warehouse's folder."""

    @property
    def warehouse(self) -> WarehouseFolders:
        return WarehouseFolders(Path(self.profile.warehouse))

    @property
    def memory(self) -> Memory:
        return FolderMemory(self.warehouse) if self.stored is None else self.stored

    @cached_property
    def outcomes(self) -> Mapping[str, Outcome]:
        """Node id → its result in the last dbt command."""
        return read_outcomes(self.artifacts / "run_results.json") if self.artifacts else {}

    @cached_property
    def stream_tables(self) -> tuple[Node, ...]:
        """The stream tables in order of their names."""
        tables = (node for node in self.nodes.values() if node.is_stream_table)
        return tuple(sorted(tables, key=lambda node: (node.relation, node.id)))

    def stream_table(self, name: str) -> Node:
        """The stream table by model name, alias or schema.alias; the error suggests the nearest name."""
        wanted = name.lower()
        for node in self.stream_tables:
            if wanted in (node.name.lower(), node.alias.lower(), ".".join(node.relation), node.id.lower()):
                return node
        other = next((node for node in self.nodes.values() if wanted == node.name.lower()), None)
        if other is not None:
            raise ProjectError(f"{name} is a {other.materialized}, not a stream table.")
        known = [node.name for node in self.stream_tables]
        raise ProjectError(f"There is no stream table {name}{nearest(name, known)}")

    def storage_log(self, node: Node) -> DeltaLog:
        """The log of a stream table's storage; it does not exist if the table was never built."""
        schema, alias = node.relation
        return self._log((schema, storage_name(alias)))

    def source_log(self, name: str) -> DeltaLog | None:
        """The log of a source by its name in a frontier (`schema.identifier`); None if only Spark could find it."""
        kind, _, path = name.partition(".")
        if is_path((kind, path)):
            folder = folder_named((kind, path))
            log = self.histories.of(folder) if folder is not None else None
            return log if log is not None and log.exists else None
        schema, _, identifier = name.lower().rpartition(".")
        for candidate in (identifier, storage_name(identifier)):
            log = self._log((schema.rpartition(".")[2], candidate))
            if log.exists:
                return log
        return None

    def _log(self, key: Key) -> DeltaLog:
        # An arrangement lies where its model does.
        model = key[1].removesuffix(STORAGE_SUFFIX).partition(PART)[0]
        root = self._location_roots.get((key[0], model))
        return self.histories.of(root / key[1] if root else self.warehouse.table(*key))

    @cached_property
    def _location_roots(self) -> Mapping[Key, Path]:
        """The folders of the relations that have a `location_root`."""
        roots = ((node, node.config.get("location_root")) for node in self.nodes.values())
        return {node.relation: location_folder(str(root)) for node, root in roots if root}
