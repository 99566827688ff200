"""Methods for macros about the storage of a relation: whether it is ours, and whether it may be changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbt.adapters.base.meta import AdapterMeta, available

from dbt.adapters.trickle.catalog.cached_catalog import CachedCatalog
from dbt.adapters.trickle.catalog.pins import INVOCATIONS
from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.names import location_folder, storage_name
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.storages.clash import refuse_clash
from dbt.adapters.trickle.storages.facade_state import fault, shows
from dbt.adapters.trickle.storages.location import (
    clear_remains,
    occupant,
    refuse_long_name,
    refuse_occupied,
    registered_at,
)
from dbt.adapters.trickle.storages.ownership import Mark, is_ours, mark_of
from dbt.adapters.trickle.storages.storage_state import read_state
from dbt.adapters.trickle.storages.table_properties import FACADE, RETIRED
from dbt.adapters.trickle.warehouses.embedded.catalog_cache import CATALOG
from dbt.adapters.trickle.warehouses.embedded.objects import START_SCHEMA, OwnSettings
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import table_path

if TYPE_CHECKING:
    from dbt.adapters.spark.impl import SparkAdapter as MixedInto

    from dbt.adapters.trickle.connections import TrickleConnectionManager
else:
    MixedInto = object


class OwnedStorages(MixedInto, metaclass=AdapterMeta):
    """Only storages that bear our mark are dropped, replaced or written."""

    connections: TrickleConnectionManager

    @available.parse(lambda *_, **__: None)
    def trickle_refuse_clash(self, model: Mapping[str, Any], graph: Mapping[str, Any], invocation: str) -> None:
        """Refuse a node whose relation is another's storage, or whose storage is another's relation."""
        nodes = INVOCATIONS.of(invocation).nodes(graph)
        node = nodes.get(str(model["unique_id"]))
        if node is not None:
            refuse_clash(node, nodes)

    @available.parse(lambda *_, **__: None)
    def trickle_storage(self, relation: TrickleRelation) -> TrickleRelation | None:
        """The storage of a relation, if there is one of ours."""
        storage = self._storage_relation(relation)
        managed = self._managed_path(*key_of(storage))
        if is_ours(self.connections.histories.of(managed), key_of(storage)):
            return storage
        listed = self._listed(storage)
        folder = registered_at(listed)
        if listed is None or folder is None:
            return None
        mark = mark_of(self.connections.histories.of(folder), key_of(storage))
        ours = mark is Mark.OURS or (mark is Mark.NONE and self.trickle_shows(relation))
        return storage if ours else None

    @available.parse(lambda *_, **__: False)
    def trickle_is_active(self, relation: TrickleRelation) -> bool:
        """Whether the relation is a stream table that has a facade and is not being retired."""
        if self.trickle_storage(relation) is None:
            return False
        state = read_state(self._storage_log(relation))
        return FACADE in state.properties and RETIRED not in state.properties

    @available.parse(lambda *_, **__: False)
    def trickle_can_retire(self, relation: TrickleRelation) -> bool:
        """Whether there is a storage of ours whose properties can be set: Spark knows it and can read it."""
        storage = self.trickle_storage(relation)
        if storage is None or self._listed(storage) is None:
            return False
        return read_state(self._storage_log(relation)).definition is not None

    @available.parse(lambda *_, **__: None)
    def trickle_clear_away(self, relation: TrickleRelation) -> None:
        """Remove the files that DROP TABLE leaves of a storage that is not in Spark's catalog."""
        storage = self._storage_relation(relation)
        folder = self._managed_path(*key_of(storage))
        if is_ours(self.connections.histories.by_now(folder), key_of(storage)):
            clear_remains(folder)

    @available.parse(lambda *_, **__: False)
    def trickle_shows(self, relation: TrickleRelation) -> bool:
        """Whether the relation is the view of a stream table."""
        return shows(self._warehouse().entry(key_of(relation)), key_of(self._storage_relation(relation)))

    @available.parse(lambda *_, **__: "")
    def trickle_facade_fault(self, relation: TrickleRelation) -> str:
        """How the relation differs from the stream table's view, as a sentence; '' if it is that view."""
        storage = self._storage_relation(relation)
        if FACADE not in read_state(self._storage_log(relation)).properties:
            return ""
        difference = fault(self._warehouse().entry(key_of(relation)), key_of(storage))
        return (
            f"{relation} is not the view that dbt-trickle created: {difference}. `dbt run` restores it."
            if difference
            else ""
        )

    def _refuse_occupied(self, relation: TrickleRelation, location_root: str | None) -> None:
        """Refuse the model if the storage's name or folder is used by something else, which is left alone."""
        refuse_long_name(relation)
        storage = self._storage_relation(relation)
        folder = self._storage_folder(storage, location_root)
        listed = self._listed(storage)
        managed = folder == self._managed_path(*key_of(storage))
        log_of = self.connections.histories.of
        used_by = occupant(key_of(storage), listed, folder, lambda: self.trickle_shows(relation), managed, log_of)
        refuse_occupied(relation, storage, used_by)

    def _storage_folder(self, storage: TrickleRelation, location_root: str | None) -> Path:
        if location_root:
            return location_folder(location_root) / str(storage.identifier)
        return self._managed_path(*key_of(storage))

    def _is_in_another_folder(self, storage: TrickleRelation, location_root: str) -> bool:
        """Whether the storage lies in another folder than the one under `location_root`."""
        if self.connections.histories.of(self._managed_path(*key_of(storage))).exists:
            return True
        folder = registered_at(self._listed(storage))
        return folder is not None and folder.resolve() != self._storage_folder(storage, location_root).resolve()

    def _is_lost(self, storage: TrickleRelation, log: DeltaLog) -> bool:
        """Whether the catalog has the storage in a folder whose files are gone."""
        return not log.exists and registered_at(self._listed(storage)) == log.path

    def _listed(self, relation: TrickleRelation) -> TrickleRelation | None:
        """The relation of this name when dbt listed the schema."""
        listed = self.get_relation(relation.database or "", str(relation.schema), str(relation.identifier))
        assert listed is None or isinstance(listed, TrickleRelation)
        return listed

    def _session(self) -> EmbeddedSession:
        handle = self.connections.get_thread_connection().handle
        assert isinstance(handle, EmbeddedSession)
        return handle

    def _warehouse(self, invocation: str | None = None) -> SourceCatalog:
        known = INVOCATIONS.of(invocation) if invocation is not None else None
        settings = OwnSettings(lambda: self._session().spark)
        catalog = CachedCatalog(self._managed_path, self._ask, CATALOG)
        return SourceCatalog(catalog, START_SCHEMA, known, settings, self.connections.histories)

    def _managed_path(self, schema: str, identifier: str) -> Path:
        return table_path(self.connections.trickle_credentials, schema, identifier)

    def _ask(self, sql: str) -> Sequence[tuple[Any, ...]]:
        return self._session().rows(sql)

    def _storage_relation(self, relation: TrickleRelation) -> TrickleRelation:
        path = {"identifier": storage_name(str(relation.identifier))}
        storage = relation.incorporate(path=path, type="table")  # type: ignore[no-untyped-call]
        assert isinstance(storage, TrickleRelation)
        return storage

    def _storage_log(
        self,
        relation: TrickleRelation,
        location_root: str | None = None,
        log_of: Callable[[Path], DeltaLog] | None = None,
    ) -> DeltaLog:
        log_of = log_of or self.connections.histories.of
        storage = self._storage_relation(relation)
        log = log_of(self._storage_folder(storage, location_root))
        folder = None if location_root or log.exists else registered_at(self._listed(storage))
        return log if folder is None else log_of(folder)


def key_of(relation: TrickleRelation) -> tuple[str, str]:
    return str(relation.schema).lower(), str(relation.identifier).lower()
