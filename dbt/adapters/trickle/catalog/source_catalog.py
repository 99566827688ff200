"""The relations and functions that a model names: from Delta logs first, and from Spark only where there is no log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dbt_common.exceptions import DbtDatabaseError

from dbt.adapters.trickle.catalog.pins import Invocation
from dbt.adapters.trickle.catalog.routines import routine_of
from dbt.adapters.trickle.catalog.view_settings import NOTHING_SET, SettingsHere
from dbt.adapters.trickle.catalog.views import facts_of, read_view
from dbt.adapters.trickle.history.delta_files import DeltaLog, probe
from dbt.adapters.trickle.history.delta_files import column_statistics as statistics
from dbt.adapters.trickle.history.delta_files.readable_files import readable_files
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.history.histories import Histories
from dbt.adapters.trickle.names import COUNT, HIDDEN_PREFIX, folder_named, storage_name
from dbt.adapters.trickle.ports import Catalog, CatalogEntry
from dbt.adapters.trickle.storages.facade_state import fault
from dbt.adapters.trickle.storages.ownership import is_ours
from dbt.adapters.trickle.storages.table_properties import RETIRED
from trickle import (
    Column,
    InvalidView,
    Name,
    Probe,
    Relation,
    Routine,
    Source,
    SourcePosition,
    StreamTable,
    Table,
    View,
)
from trickle.catalog.read_columns import EVERY_COLUMN, ReadColumns
from trickle.plan.names import shown_name, stored_name
from trickle.sql.references import is_path, lowered

SPARK_CATALOG = "spark_catalog"

GLOBAL_TEMPORARY = "global_temp"


class SourceCatalog:
    """Answers for one refresh; nothing is kept longer, because another model may change it meanwhile.

    With an invocation, base tables are as they were when it first read them. Without one, everything is as it is now.
    """

    def __init__(
        self,
        catalog: Catalog,
        default_schema: str,
        invocation: Invocation | None = None,
        settings: SettingsHere = NOTHING_SET,
        histories: Histories | None = None,
    ) -> None:
        self._catalog = catalog
        self._default_schema = default_schema
        self.invocation = invocation
        self._settings = settings
        self._histories = Histories() if histories is None else histories
        self._routines: dict[Name, Routine | None] = {}
        self._entries: dict[Name, CatalogEntry | None] = {}
        self._versions: dict[Name, int] = {}

    def resolve(self, name: Name) -> Relation | None:
        """What a name in a query is; None: nothing bears it."""
        key = self._key(name)
        if key[0] == GLOBAL_TEMPORARY:
            raise InvalidView(
                f"{'.'.join(key)} is a global temporary view, which ends with the process that has made it",
                remedy="Make it a view or a model.",
            )
        log = self._managed_log(key)
        if log.exists:
            return Table(key, _columns(self._pinned(key, log)))
        if is_path(key):
            return self._resolve_path(key)
        storage = (key[0], storage_name(key[1]))
        columns = self._storage_columns(storage)
        if columns is not None and self._is_shown(key, storage):
            return StreamTable(key, columns, storage)
        return self._resolve_with_spark(key)

    def routine(self, name: Name) -> Routine | None:
        """What a function is; None: one of Spark's own, or none at all."""
        key = name if len(name) > 1 else (self._default_schema.lower(), *name)
        if key not in self._routines:
            rows = self._catalog.function(key)
            self._routines[key] = None if rows is None else routine_of(key, rows, self._settings)
        return self._routines[key]

    def read_at(self, versions: Mapping[Name, int]) -> None:
        """From now on these physical tables are as they were at these versions."""
        self._versions.update(versions)

    def source_log(self, physical: Name) -> DeltaLog:
        """The log of a table that is read, up to the version it is read at."""
        key = self._key(physical)
        log = self.log(key)
        return log.at(self._versions[key]) if key in self._versions else log

    def storage_of(self, name: Name) -> Name | None:
        """The storage behind a stream table's name; None where something else, or nothing, bears the name."""
        key = self._key(name)
        if is_path(key) or self._managed_log(key).exists:
            return None
        storage = (key[0], storage_name(key[1]))
        if self._storage_columns(storage) is not None:
            return storage
        described = self._describe(key)
        return storage if described is not None and self._storage_elsewhere(storage) is not None else None

    def reshaped(self, physical: Name) -> bool:
        """Whether a table has other columns now than at the version it is read at."""
        now, read = self.log(physical), self.source_log(physical)
        return now.exists and now.latest != read.latest and _columns(now) != _columns(read)

    def has_other_columns(self, source: Source) -> bool:
        """Whether a source has other columns at the version it is read at than when its name was resolved."""
        log = self.source_log(source.physical)
        if not log.exists:
            return False
        is_stream = isinstance(source.relation, StreamTable)
        return (visible_columns(log) if is_stream else _columns(log)) != source.relation.columns

    def log(self, name: Name) -> DeltaLog:
        """The log of a Delta table wherever it lies; a log that does not exist where there is none."""
        key = self._key(name)
        managed = self._managed_log(key)
        if managed.exists or is_path(key):
            return managed
        described = self._describe(key)
        external = described.delta_path if described else None
        return managed if external is None else self._histories.for_reading(external)

    def probe(self, source: Source, before: SourcePosition | None, read: ReadColumns = EVERY_COLUMN) -> Probe:
        """What happened to a source, as far as the columns that are read go."""
        return probe(self.source_log(source.physical), source.name, before, _as_stored(source, read))

    def with_spread(self, probe: Probe, physical: Name) -> Probe:
        """The same with what the log tells of the source's values: for refreshes that look up what changed."""
        return replace(probe, statistics=statistics(self.source_log(physical), probe))

    def with_files(self, probe: Probe, physical: Name) -> Probe:
        """The same with the files by which the source can be read."""
        return replace(probe, files=readable_files(self.source_log(physical), probe))

    def entry(self, name: Name) -> CatalogEntry | None:
        """The entry of a name in Spark's catalog; None where it has none."""
        return self._describe(self._key(name))

    def knows(self, name: Name) -> bool:
        """Whether Spark's catalog knows the name; a log alone may be what a run that was cut off has left."""
        return self._describe(self._key(name)) is not None

    def _key(self, name: Name) -> tuple[str, str]:
        parts = list(lowered(name))
        if len(parts) == 3 and parts[0] == SPARK_CATALOG:
            parts = parts[1:]
        if len(parts) == 1:
            parts = [self._default_schema.lower(), *parts]
        if len(parts) != 2:
            raise DbtDatabaseError(
                f"`{'.'.join(name)}` names a catalog of its own: a stream table reads tables of Spark's catalog only."
            )
        return parts[0], parts[1]

    def _managed_log(self, key: tuple[str, str]) -> DeltaLog:
        folder = folder_named(key)
        return self._histories.for_reading(self._catalog.managed_folder(*key) if folder is None else folder)

    def _storage_columns(self, storage: tuple[str, str]) -> tuple[Column, ...] | None:
        """Visible columns of a stream table's storage; None when there is none of ours, or it is being left."""
        log = self._managed_log(storage)
        return visible_columns(log, self._versions.get(storage)) if is_ours(log, storage) else None

    def _is_shown(self, key: tuple[str, str], storage: tuple[str, str]) -> bool:
        """Whether users who read the name read the storage. Asked once an invocation, and never without one."""
        if self.invocation is None:
            return True
        return self.invocation.is_shown(".".join(key), lambda: not fault(self._describe(key), storage))

    def _storage_elsewhere(self, storage: tuple[str, str]) -> tuple[Column, ...] | None:
        """The same for a storage with a location of its own."""
        described = self._describe(storage)
        if described is None or described.delta_path is None:
            return None
        log = self._histories.for_reading(described.delta_path)
        return visible_columns(log, self._versions.get(storage)) if is_ours(log, storage) else None

    def _pinned(self, key: Name, log: DeltaLog) -> DeltaLog:
        """A base table as this refresh reads it: as chosen, else as the invocation first read it."""
        if key not in self._versions and self.invocation is not None:
            self._versions[key] = self.invocation.pin(key, log).version
        return log.at(self._versions[key]) if key in self._versions else log

    def _resolve_path(self, key: Name) -> Relation | None:
        """Files without a log that can be read from here: parquet.`/data/x`, or Delta on another file system."""
        columns = self._catalog.columns_of_files(key)
        return None if columns is None else Table(key, columns, versioned=False)

    def _resolve_with_spark(self, key: tuple[str, str]) -> Relation | None:
        described = self._describe(key)
        if described is None:
            return None
        if not described.is_view:
            if described.delta_path is None:
                return Table(key, described.columns, versioned=False)
            log = self._histories.for_reading(described.delta_path)
            pinned = self._pinned(key, log)
            return Table(key, described.columns if pinned.latest == log.latest else _columns(pinned))
        storage = (key[0], storage_name(key[1]))
        columns = None if fault(described, storage) else self._storage_elsewhere(storage)
        if columns is not None:
            return StreamTable(key, columns, storage)
        return self._view(key, described)

    def _view(self, key: tuple[str, str], described: CatalogEntry) -> View | Table:
        facts = facts_of(self._catalog.view_details(key), key[0])
        return read_view(key, described.columns, facts, self._settings, self._catalog.columns_of, self._is_routine)

    def _is_routine(self, name: Name) -> bool:
        return self.routine(name) is not None

    def _describe(self, key: tuple[str, str]) -> CatalogEntry | None:
        if key not in self._entries:
            self._entries[key] = self._catalog.entry(key)
        return self._entries[key]


def visible_columns(log: DeltaLog, version: int | None = None) -> tuple[Column, ...] | None:
    """The columns of a storage table as users call them, now or at a version; None when it is retired now."""
    stored = stored_columns(log, version)
    return None if stored is None else tuple(Column(shown_name(column.name), column.type) for column in stored)


def stored_columns(log: DeltaLog, version: int | None = None) -> tuple[Column, ...] | None:
    """The columns of a storage table that users see, as they are stored; None when it is retired now."""
    if RETIRED in metadata_at(log, log.latest).properties:
        return None
    columns = _columns(log if version is None else log.at(version))
    return tuple(column for column in columns if not column.name.startswith(HIDDEN_PREFIX))


def _as_stored(source: Source, read: ReadColumns) -> ReadColumns:
    """The columns as the physical table calls them: of a storage, the count of each row is always among them."""
    if read.names is None or not isinstance(source.relation, StreamTable):
        return read
    shown = {column.name.lower(): column.name for column in source.relation.columns}
    stored = {stored_name(shown.get(name, name)).lower() for name in read.names}
    return replace(read, names=frozenset(stored | {COUNT}))


def _columns(log: DeltaLog) -> tuple[Column, ...]:
    return metadata_at(log, log.latest).columns
