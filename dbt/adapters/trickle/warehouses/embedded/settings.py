"""Spark's settings for one machine and one user: those fixed at start, and those of each session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol

from dbt.adapters.trickle.warehouses.embedded.machine import cached_snapshots, page_of
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders

TIME_ZONE = "spark.sql.session.timeZone"
ANSI = "spark.sql.ansi.enabled"
CASE_SENSITIVE = "spark.sql.caseSensitive"
_CHECKPOINTING = "org.apache.spark.sql.execution.streaming.checkpointing"


class SparkProfile(Protocol):
    time_zone: str
    server_side_parameters: dict[str, str]


def sizes(heap: str) -> dict[str, str]:
    """Sizes of caches and buffers in Java's heap, set when the process starts; the profile overrides them."""
    return {
        "spark.databricks.delta.delta.log.cacheSize": str(cached_snapshots(heap)),
        "spark.buffer.pageSize": page_of(heap),
        # The default keeps the plans of a thousand statements as text for the UI, which is off.
        "spark.sql.ui.retainedExecutions": "10",
    }


def start_settings(layout: WarehouseFolders, cores: int) -> dict[str, str]:
    """Settings that are fixed when the Java process starts."""
    return {
        "spark.master": f"local[{cores}]",
        "spark.app.name": "dbt-trickle",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": str(layout.scratch),
        "spark.sql.warehouse.dir": str(layout.data),
        "spark.sql.catalogImplementation": "hive",
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.hadoop.javax.jdo.option.ConnectionURL": _derby(layout.metastore),
        "spark.hadoop.hive.exec.scratchdir": str(layout.scratch / "hive"),
        "spark.hadoop.hive.exec.local.scratchdir": str(layout.scratch / "hive-local"),
        "spark.hadoop.hive.downloaded.resources.dir": str(layout.scratch / "hive-resources"),
        # Delta's queries over its logs are the same for every table; Spark's 100 entries would not keep them.
        "spark.sql.codegen.cache.maxEntries": "2000",
        # Hadoop's other log store starts a process for each file it checks, sixteen for every commit.
        "spark.delta.logStore.file.impl": "io.delta.storage.LocalLogStore",
        "spark.sql.streaming.checkpointFileManagerClass": f"{_CHECKPOINTING}.FileSystemBasedCheckpointFileManager",
        "spark.cleaner.referenceTracking.cleanCheckpoints": "false",
        "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
        "spark.kryoserializer.buffer.max": "256m",
    }


def _derby(folder: Path) -> str:
    return f"jdbc:derby:;databaseName={folder};create=true"


OURS_AT_START = frozenset(start_settings(WarehouseFolders(Path("/")), 1))
"""Settings that a profile cannot set."""


def session_settings(profile: SparkProfile, cores: int) -> dict[str, str]:
    """The initial settings of every session; the profile's `server_side_parameters` override them."""
    return {
        TIME_ZONE: profile.time_zone,
        ANSI: "true",
        CASE_SENSITIVE: "false",
        # CREATE TABLE without USING creates a table with versions, like all other tables of the warehouse.
        "spark.sql.sources.default": "delta",
        "spark.sql.shuffle.partitions": str(cores),
        # Delta's queries over its logs have more than 100 columns, the limit for code once per stage
        # and not once per task.
        "spark.sql.codegen.maxFields": "3000",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.databricks.delta.properties.defaults.enableChangeDataFeed": "true",
        "spark.databricks.delta.vacuum.enforceTimeTravelWithinDeletedFileRetentionDuration": "false",
        **profile.server_side_parameters,
    }


def write_settings(folder: Path, settings: dict[str, str]) -> Path:
    """Write the settings to a file that only its owner can read: some are passwords; arguments are visible to all."""
    path = folder / "spark.properties"
    path.touch(mode=0o600)
    # Java reads such files as Latin-1; JSON's escapes are valid in them.
    lines = (f"{key} {json.dumps(value)[1:-1]}\n" for key, value in settings.items())
    path.write_text("".join(lines), "ascii")
    return path
