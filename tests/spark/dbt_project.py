"""A dbt project in a folder, run in this process so that all of a module's runs share one Spark."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbt.cli.main import dbtRunner, dbtRunnerResult

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import table_path

PROJECT = """
name: shop
version: '1.0'
profile: shop
flags: {send_anonymous_usage_stats: false}
models: {shop: {+materialized: stream_table}}
"""


@dataclass(frozen=True)
class Outcome:
    """What one dbt command did, by node name."""

    results: dict[str, Any]
    success: bool

    def response(self, node: str) -> dict[str, Any]:
        return dict(self.results[node].adapter_response)

    def action(self, node: str) -> str:
        return str(self.response(node).get("action"))

    def message(self, node: str) -> str:
        return str(self.results[node].message)

    def status(self, node: str) -> str:
        return str(self.results[node].status)


@dataclass(frozen=True)
class Project:
    """A project with its own schema in a shared warehouse."""

    root: Path
    schema: str
    warehouse: Path

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def model(self, name: str, sql: str) -> None:
        self.write(f"models/{name}.sql", sql)

    def set_up(self) -> None:
        self.write("dbt_project.yml", PROJECT)
        outputs = {
            name: {"type": "trickle", "schema": schema, "warehouse": str(self.warehouse), "driver_memory": "2g"}
            for name, schema in (("dev", self.schema), ("ci", f"{self.schema}_ci"))
        }
        self.write("profiles.yml", json.dumps({"shop": {"target": "dev", "outputs": outputs}}))

    def dbt(self, *arguments: str) -> Outcome:
        place = ["--project-dir", str(self.root), "--profiles-dir", str(self.root)]
        ran: dbtRunnerResult = dbtRunner().invoke(["--quiet", *arguments, *place])
        if ran.exception is not None:
            raise ran.exception
        results = getattr(ran.result, "results", None) or []
        return Outcome({result.node.name: result for result in results if hasattr(result, "node")}, ran.success)

    def sql(self, *statements: str) -> list[tuple[Any, ...]]:
        """Run statements as somebody else would, in a session of their own; `{s}` is the schema."""
        session = EmbeddedSession(self._credentials, print)
        rows: list[tuple[Any, ...]] = []
        for statement in statements:
            rows = session.rows(statement.replace("{s}", self.schema))
        return rows

    def append(self, table: str, query: str) -> None:
        """Append a query's rows the way programs do, which puts columns and fields where they stand in the query."""
        frame = EmbeddedSession(self._credentials, print).spark.sql(query)
        frame.write.format("delta").mode("append").saveAsTable(f"{self.schema}.{table}")

    def rows(self, relation: str) -> list[tuple[Any, ...]]:
        return sorted(tuple(row) for row in self.sql(f"select * from {{s}}.{relation}"))

    def relations(self, schema: str = "{s}") -> set[str]:
        return {str(row[1]) for row in self.sql(f"show tables in {schema}")}

    def keep_manifest(self, folder: str) -> str:
        """A copy of what dbt knows of the project now, as `--state` wants it."""
        kept = self.root / folder
        kept.mkdir()
        shutil.copy(self.root / "target" / "manifest.json", kept)
        return str(kept)

    def storage_log(self, model: str) -> DeltaLog:
        return DeltaLog(table_path(self._credentials, self.schema, f"{model}__trickle"))

    def script(self, model: str) -> str:
        return (self.root / f"target/run/shop/models/{model}.sql").read_text(encoding="utf-8")

    @property
    def _credentials(self) -> TrickleCredentials:
        return TrickleCredentials(schema=self.schema, warehouse=str(self.warehouse), driver_memory="2g")
