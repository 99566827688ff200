"""Storages that no node of the project claims any more: a model was renamed, moved or removed. From logs alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, last_stamp
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.names import STORAGE_SUFFIX
from dbt.adapters.trickle.project.project import Project
from dbt.adapters.trickle.storages.facade_state import STORAGE
from dbt.adapters.trickle.storages.ownership import is_ours, readable_stamp
from dbt.adapters.trickle.storages.table_properties import STORAGE_OF
from trickle import StateError

Key = tuple[str, str]


@dataclass(frozen=True)
class Orphan:
    """A storage of this project's, and the model that made it."""

    schema: str
    storage: str
    node: str
    folder: Path

    @property
    def identifier(self) -> str:
        """The name of the view that users read, or read once."""
        return self.storage.removesuffix(STORAGE_SUFFIX)

    @property
    def relation(self) -> str:
        return f"{self.schema}.{self.identifier}"

    @property
    def said(self) -> str:
        return f"made by {self.node}, which is no model of the project any more."


def orphans(project: Project, besides: str = "") -> list[Orphan]:
    """In order of name. What another project has made, or nobody says who, is not this project's to name.

    Looked for in the schemas of the project's nodes, and in one besides.
    """
    claimed = {node.relation for node in project.nodes.values() if node.kind != "source"}
    found: dict[Key, Orphan] = {}
    for schema, folder in _storages(project, besides):
        orphan = _orphan(schema, folder, f"model.{project.name}.")
        if orphan is not None and (orphan.schema, orphan.identifier) not in claimed:
            found.setdefault((orphan.schema, orphan.storage), orphan)
    return [found[key] for key in sorted(found)]


def _storages(project: Project, besides: str) -> Iterator[tuple[str, Path]]:
    """Schema and folder of whatever is called like a storage where the project has relations; '' for no schema."""
    made = [node for node in project.nodes.values() if node.kind != "source"]
    for schema in sorted({node.relation[0] for node in made} | {besides.lower()} - {""}):
        place = project.warehouse.table(schema, "any").parent
        yield from ((schema, folder) for folder in _called_like_one(place))
    roots = {
        str(node.config["location_root"]).removeprefix("file:") for node in made if node.config.get("location_root")
    }
    for root in sorted(roots):
        yield from (("", folder) for folder in _called_like_one(Path(root)))


def _called_like_one(place: Path) -> list[Path]:
    try:
        return sorted(folder for folder in place.iterdir() if folder.name.endswith(STORAGE_SUFFIX))
    except OSError:
        # A schema without a folder has no tables in it.
        return []


def _orphan(schema: str, folder: Path, prefix: str) -> Orphan | None:
    log = DeltaLog(folder)
    try:
        key = _key(schema, log)
        stamped = last_stamp(log) if key is not None else None
    except StateError:
        return None
    except LogUnreadable:
        key, stamped = ((schema, folder.name) if schema else None), readable_stamp(log)
    if key is None or stamped is None or not stamped.stamp.node.startswith(prefix) or not is_ours(log, key):
        return None
    return Orphan(key[0], key[1], stamped.stamp.node, folder)


def _key(schema: str, log: DeltaLog) -> Key | None:
    """The storage's name; in a folder of the user's choice only the storage itself knows its schema."""
    if schema:
        return schema, log.path.name
    if not log.exists:
        return None
    owner, _, name = metadata_at(log, log.latest).properties.get(STORAGE_OF, "").rpartition(".")
    return (owner, name) if owner else None


def shows_storage(orphan: Orphan, properties: Mapping[str, str]) -> bool:
    """Whether a view with these properties was put there to show the orphan."""
    said = properties.get(STORAGE, "").replace("`", "").lower().split(".")
    return tuple(said[-2:]) == (orphan.schema, orphan.storage)
