"""What Delta logs tell of the tables behind a model: the engine's port to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dbt.adapters.trickle.catalog.pins import Invocation
from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.rows import is_there, rows_since, rows_until
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.versions.version_options import PastRefresh
from trickle import Name, SourcePosition, Stamp
from trickle.catalog.frontier import parse_stamp
from trickle.graph.agreement import EraVersion, Span, VersionOption

VECTOR = "vector"
"""In a stamp: the version of every base table that the rows reflect, however many stream tables lie between."""

MIXED = "mixed"
"""In a stamp: base tables the rows were made from at several versions."""

CURRENT_ERA = 2**62
"""The era of tables that stand. A table that is gone has the instant of the commit it is remembered by as its era."""


class WarehouseHistory:
    """The history of everything a model reads, as far as this invocation may see it."""

    def __init__(self, warehouse: SourceCatalog, invocation: Invocation) -> None:
        self._warehouse = warehouse
        self._invocation = invocation

    def is_stream(self, table: str) -> bool:
        return self._warehouse.storage_of(_name(table)) is not None

    def refreshes(self, table: str) -> Iterator[PastRefresh]:
        log = self.storage_log(table)
        yield from self._by_this_run(table, log)
        version = log.latest
        while log.has(version):
            since = rows_since(log, version)
            for stamped in range(version, since - 1, -1):
                stamp = parse_stamp(log.commit(stamped).user_metadata)
                if stamp is not None:
                    recorded = self.recorded(stamp, version)
                    yield PastRefresh(stamped, since, version, stamp.frontier.sources, recorded)
            version = since - 1

    def rows_at(self, table: str, position: SourcePosition) -> int | None:
        log = self.storage_log(table)
        return rows_since(log, position.version) if is_there(log, position) else None

    def same_rows(self, table: str, position: SourcePosition) -> Span:
        log = self._warehouse.log(_name(table))
        if not is_there(log, position):
            gone = (position.committed_at, position.version)
            return Span(gone, gone)
        pinned = self._invocation.pinned(_name(table))
        seen = log if pinned is None or pinned.version < position.version else log.at(pinned.version)
        return Span((CURRENT_ERA, rows_since(log, position.version)), (CURRENT_ERA, rows_until(seen, position.version)))

    def recorded(self, stamp: Stamp, version: int) -> VersionOption | None:
        """What a stamp says its rows reflect, as far as it says so."""
        vector = stamp.extra.get(VECTOR)
        mixed = stamp.extra.get(MIXED, ())
        if not isinstance(vector, Mapping) or not isinstance(mixed, (list, tuple)):
            return None
        positions = {str(table): SourcePosition(*position) for table, position in vector.items()}
        return self._option(version, positions, frozenset(str(table) for table in mixed))

    def position(self, table: str, moment: EraVersion) -> SourcePosition:
        """A moment in the form a stamp keeps."""
        era, version = moment
        if era != CURRENT_ERA:
            return SourcePosition("", version, era)
        log = self._warehouse.log(_name(table)).at(version)
        return SourcePosition(metadata_at(log, version).id, version, log.commit(version).committed_at)

    def _by_this_run(self, table: str, log: DeltaLog) -> Iterator[PastRefresh]:
        refreshed = self._invocation.refreshed_table(table)
        if refreshed is not None and log.has(refreshed.version):
            option = self._option(refreshed.version, refreshed.vector, refreshed.mixed)
            since = rows_since(log, refreshed.version)
            yield PastRefresh(-1, since, refreshed.version, refreshed.frontier, option, current=True)

    def _option(self, version: int, vector: Mapping[str, SourcePosition], mixed: frozenset[str]) -> VersionOption:
        return VersionOption(
            version, {table: self.same_rows(table, position) for table, position in vector.items()}, mixed
        )

    def storage_log(self, table: str) -> DeltaLog:
        storage = self._warehouse.storage_of(_name(table))
        assert storage is not None, f"{table} is no stream table"
        return self._warehouse.log(storage)


def _name(table: str) -> Name:
    schema, _, identifier = table.partition(".")
    return schema, identifier
