"""Orphans: storages whose model was renamed, moved or removed. Found from logs alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, last_stamp
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.names import PART, STORAGE_SUFFIX, location_folder
from dbt.adapters.trickle.project.project import Project
from dbt.adapters.trickle.storages.arrangements import arrangements_in, is_part_of
from dbt.adapters.trickle.storages.facade_state import shown_storage
from dbt.adapters.trickle.storages.ownership import is_ours, readable_stamp
from dbt.adapters.trickle.storages.table_properties import STORAGE_OF
from trickle import StateError

Key = tuple[str, str]


@dataclass(frozen=True)
class Orphan:
    """A storage that a model of this project created, and that model."""

    schema: str
    storage: str
    node: str
    folder: Path

    @property
    def identifier(self) -> str:
        """The name of the view in front of the storage."""
        return self.storage.removesuffix(STORAGE_SUFFIX)

    @property
    def relation(self) -> str:
        return f"{self.schema}.{self.identifier}"

    @property
    def sentence(self) -> str:
        if PART in self.identifier:
            return f"kept for {self.node}, which does not read it any more."
        return f"created by {self.node}, which is no longer a model of the project."


def orphans(project: Project, extra_schema: str = "") -> list[Orphan]:
    """The orphans in the schemas of the project's nodes and in `extra_schema`, in order of name.

    Storages of another project, or of an unknown one, are not listed.
    """
    claimed = {node.relation for node in project.nodes.values() if node.kind != "source"}
    by_key: dict[Key, Orphan] = {}
    for schema, folder in _storages(project, extra_schema):
        orphan = _orphan(project, schema, folder)
        if orphan is not None and (orphan.schema, orphan.identifier) not in claimed | _arrangements(project, orphan):
            by_key.setdefault((orphan.schema, orphan.storage), orphan)
    return [by_key[key] for key in sorted(by_key)]


def _arrangements(project: Project, orphan: Orphan) -> frozenset[Key]:
    """What the model that created a storage was made from last."""
    node = project.nodes.get(orphan.node)
    if node is None or not is_part_of((orphan.schema, orphan.identifier), node.relation):
        return frozenset()
    stamped = last_stamp(project.storage_log(node))
    read = arrangements_in(None if stamped is None else stamped.stamp, node.relation)
    return frozenset((name[0], name[1]) for name in read)


def _storages(project: Project, extra_schema: str) -> Iterator[tuple[str, Path]]:
    """Schema and folder of each table named like a storage; '' for the schema below a `location_root`."""
    built = [node for node in project.nodes.values() if node.kind != "source"]
    for schema in sorted({node.relation[0] for node in built} | {extra_schema.lower()} - {""}):
        database = project.warehouse.table(schema, "any").parent
        yield from ((schema, folder) for folder in _named_like_storages(database))
    roots = {location_folder(str(node.config["location_root"])) for node in built if node.config.get("location_root")}
    for root in sorted(roots):
        yield from (("", folder) for folder in _named_like_storages(root))


def _named_like_storages(folder: Path) -> list[Path]:
    try:
        return sorted(folder for folder in folder.iterdir() if folder.name.endswith(STORAGE_SUFFIX))
    except OSError:
        # A schema without a folder has no tables.
        return []


def _orphan(project: Project, schema: str, folder: Path) -> Orphan | None:
    log = project.histories.of(folder)
    try:
        key = _key(schema, log)
        stamped = last_stamp(log) if key is not None else None
    except StateError:
        return None
    except LogUnreadable:
        key, stamped = ((schema, folder.name) if schema else None), readable_stamp(log)
    if (
        key is None
        or stamped is None
        or not stamped.stamp.node.startswith(f"model.{project.name}.")
        or not is_ours(log, key)
    ):
        return None
    return Orphan(key[0], key[1], stamped.stamp.node, folder)


def _key(schema: str, log: DeltaLog) -> Key | None:
    """The storage's schema and name; below a `location_root` the schema is read from the storage's properties."""
    if schema:
        return schema, log.path.name
    if not log.exists:
        return None
    owner, _, name = metadata_at(log, log.latest).properties.get(STORAGE_OF, "").rpartition(".")
    return (owner, name) if owner else None


def shows_storage(orphan: Orphan, properties: Mapping[str, str]) -> bool:
    """Whether a view with these properties was created in front of the orphan."""
    return shown_storage(properties) == (orphan.schema, orphan.storage)
