"""The warehouse of a benchmark: the adapter's own embedded Spark, session settings and log readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.catalog.analyst import SparkAnalyst
from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.catalog.spark_catalog import SparkCatalog
from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded import spark as embedded
from dbt.adapters.trickle.warehouses.embedded.contract import contract
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import table_path

SCHEMA = "bench"


def _ignore(_: str) -> None:
    """Discard the adapter's messages about downloads: a benchmark's output is its result."""


class Workspace:
    """One folder, one Spark, one session, as a dbt thread has."""

    def __init__(
        self, folder: Path, driver_memory: str, cores: int | None = None, settings: Mapping[str, str] | None = None
    ) -> None:
        self.folder = folder
        self.credentials = TrickleCredentials(
            database=None,
            schema=SCHEMA,
            warehouse=str(folder / "warehouse"),
            driver_memory=driver_memory,
            cores=cores,
            server_side_parameters=dict(settings or {}),
        )
        self.session = EmbeddedSession(self.credentials, _ignore)
        self.analyst = SparkAnalyst(self.session, lambda _: nullcontext())
        self.contract = contract(self.credentials)
        self.rows(f"create schema if not exists {SCHEMA}")

    @property
    def java(self) -> int:
        """The process id of the Java that runs Spark."""
        return embedded.opened(self.credentials, _ignore).java.process.pid

    def rows(self, sql: str) -> Sequence[tuple[Any, ...]]:
        return self.session.rows(sql)

    def clear_snapshot_cache(self) -> None:
        """Make Delta read every table's log again, as the process of a dbt run does.

        Otherwise the first approach would read a source's log for all others, and that is a quarter of their cost.
        """
        self.session.spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()  # noqa: SLF001 - SQL has no such statement

    def describe_sources(self) -> SourceCatalog:
        """A new reader of sources: a dbt run creates one for each model."""
        return SourceCatalog(SparkCatalog(self._path, self.rows), SCHEMA)

    def log(self, identifier: str) -> DeltaLog:
        return DeltaLog(self._path(SCHEMA, identifier))

    def close(self) -> None:
        self.session.close()
        embedded.close()

    def _path(self, schema: str, identifier: str) -> Path:
        return table_path(self.credentials, schema, identifier)


def setting(text: str) -> tuple[str, str]:
    """`key=value` from the command line: a session setting to try out."""
    key, _, value = text.partition("=")
    return key, value
