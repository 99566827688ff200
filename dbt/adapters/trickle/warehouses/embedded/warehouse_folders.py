"""The folders and files of a warehouse: all are below its root, none in the working directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class HasWarehouse(Protocol):
    warehouse: str


@dataclass(frozen=True)
class WarehouseFolders:
    """data (tables), metastore (catalog), logs, scratch (emptied at every start), checks, rulings, plans, lock."""

    root: Path

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def metastore(self) -> Path:
        return self.root / "metastore"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def scratch(self) -> Path:
        return self.root / "scratch"

    @property
    def checks(self) -> Path:
        """When refreshes last found no changes. Safe to delete."""
        return self.root / "checks"

    @property
    def suspensions(self) -> Path:
        """Suspensions of stream tables by hand. Deleting the folder resumes them."""
        return self.root / "rulings"

    @property
    def catalog_answers(self) -> Path:
        """What Spark's catalog answered at the end of the last run. Safe to delete."""
        return self.root / "plans" / "catalog.json"

    @property
    def plans(self) -> Path:
        """Compiled models, a file each. Safe to delete."""
        return self.root / "plans"

    @property
    def mark(self) -> Path:
        """The file that marks a warehouse of dbt-trickle."""
        return self.root / ".dbt-trickle"

    @property
    def lock(self) -> Path:
        return self.root / "lock"

    @property
    def spark_log(self) -> Path:
        return self.logs / "spark.log"

    @property
    def process_log(self) -> Path:
        """The output of the Java process itself: start-up failures and crashes."""
        return self.logs / "process.log"

    def table(self, schema: str, identifier: str) -> Path:
        """The folder of a managed table. Spark lower-cases names, and `default` has no folder of its own."""
        folder = self.data if schema.lower() == "default" else self.data / f"{schema.lower()}.db"
        return folder / identifier.lower()


def folders_of(credentials: HasWarehouse) -> WarehouseFolders:
    return WarehouseFolders(Path(credentials.warehouse).resolve())


def table_path(credentials: HasWarehouse, schema: str, identifier: str) -> Path:
    """The folder of a managed table, found without Spark. A `location_root` stores tables elsewhere."""
    return folders_of(credentials).table(schema, identifier)
