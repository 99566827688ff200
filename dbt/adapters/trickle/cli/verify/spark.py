"""The Spark ring: an embedded Spark in a warehouse that is thrown away. The judge of last resort."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from dataclasses import dataclass, field
from typing import Optional

from dbt.adapters.trickle.cli.verify.session_ring import SessionRing
from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.warehouses.embedded import spark as warehouse
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import folders_of


@dataclass
class Profile:
    """A small embedded Spark: tables of a few rows need no more."""

    warehouse: str
    lock_timeout: float = 10.0
    driver_memory: Optional[str] = "2g"
    cores: Optional[int] = 2
    time_zone: str = "UTC"
    server_side_parameters: dict[str, str] = field(
        default_factory=lambda: {"spark.sql.shuffle.partitions": "1", "spark.databricks.delta.snapshotPartitions": "1"}
    )


class SparkRing(SessionRing):
    """Histories are read from the logs' files."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="dbt-trickle-verify-")
        atexit.register(self.close)
        profile = Profile(self._folder)
        self._layout = folders_of(profile)
        super().__init__(EmbeddedSession(profile, lambda sentence: None))

    def close(self) -> None:
        """End Spark and throw the warehouse away."""
        warehouse.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def history(self, schema: str, table: str) -> DeltaLog:
        return DeltaLog(self._layout.table(schema, table))
