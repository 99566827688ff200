"""A dbt project of any size with the logs its tables would have, written without dbt and without Spark."""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from dbt.adapters.trickle.project import Project, load_project
from dbt.adapters.trickle.storages.stamp_fields import BECAUSE, BEGAN, MAINTAINED, MODE, UNVERSIONED
from tests.adapter.log_builder import LogBuilder, metadata
from trickle import Frontier, SourcePosition, Stamp
from trickle.catalog.frontier import MESSAGE

COUNT = "__trickle_count"
FIELDS = (("k", "long"), ("v", "string"), (COUNT, "long"))
START = int(time.time() * 1000) - 6 * 3_600_000
"""The first commit, epoch milliseconds: some hours ago."""
DEPTH = 6
"""Stream tables upon stream tables, at most."""
PROFILE = "shop: {target: dev, outputs: {dev: {type: trickle, schema: shop}}}"


def parquet(file: Path, rows: int = 100) -> int:
    """A data file of a storage table; its size in bytes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    columns = f"range AS k, 'value ' || range AS v, 1::BIGINT AS {COUNT}"
    duckdb.sql(f"COPY (SELECT {columns} FROM range({rows})) TO '{file}' (FORMAT parquet)")
    return file.stat().st_size


@dataclass
class FabricatedProject:
    """A project folder that grows: sources, views and stream tables, each with its log."""

    folder: Path
    clock: int = START
    nodes: dict[str, dict[str, Any]] = field(default_factory=dict)
    logs: dict[str, LogBuilder] = field(default_factory=dict)
    """Name → the log of the source or of the stream table's storage."""
    refreshes: dict[str, int] = field(default_factory=dict)

    def source(self, name: str) -> None:
        """A table of the source `raw`, with one commit of rows."""
        key = f"source.p.raw.{name}"
        raw = {"unique_id": key, "resource_type": "source", "source_name": "raw", "name": name}
        self.nodes[key] = {**raw, "schema": "raw", "identifier": name, "config": {}}
        log = self._log(name, "raw", name)
        log.create(table_id=name)
        self.write(name)

    def model(self, name: str, materialized: str, reads: tuple[str, ...], **config: Any) -> None:
        """A model without a log: a view, or a stream table that was never built."""
        self.nodes[f"model.p.{name}"] = {
            "unique_id": f"model.p.{name}",
            "resource_type": "model",
            "name": name,
            "schema": "shop",
            "alias": name,
            "config": {"materialized": materialized, **config},
            "depends_on": {"nodes": [self.key(one) for one in reads]},
            "original_file_path": f"models/{name}.sql",
        }

    def key(self, name: str) -> str:
        return f"model.p.{name}" if f"model.p.{name}" in self.nodes else f"source.p.raw.{name}"

    def write(self, name: str, rows: int = 10) -> None:
        """New rows in a source."""
        log = self.logs[name]
        self._tick(log)
        log.append(f"{log.version + 1}.parquet", rows)
        self.clock = log.clock

    def refresh(self, name: str, rows: int = 100, **told: Any) -> Stamp:
        """A refresh of a stream table that reads the current versions of all its sources."""
        log = self.logs.get(name) or self._log(name, "shop", f"{name}__trickle")
        first = log.version < 0
        self.clock += 1000
        stamp = self._stamp(name, first, told)
        self._tick(log)
        file = f"part-{log.version + 1}.parquet"
        size = parquet(log.path / file, rows)
        bounds = {"minValues": {COUNT: 1}, "maxValues": {COUNT: 1}}
        stats = json.dumps({"numRecords": rows, **bounds})
        add = {"path": file, "size": size, "partitionValues": {}, "modificationTime": log.clock, "dataChange": True}
        actions: list[dict[str, Any]] = [{"add": {**add, "stats": stats}}]
        if first:
            protocol = {"protocol": {"minReaderVersion": 1, "minWriterVersion": 4}}
            actions = [protocol, metadata(table_id=name, fields=FIELDS), *actions]
        operation = "CREATE OR REPLACE TABLE AS SELECT" if first else "WRITE"
        metrics = {"numOutputRows": str(rows)}
        log.commit(operation, *actions, userMetadata=stamp.to_json(), operationMetrics=metrics)
        self.clock = log.clock
        return stamp

    def _stamp(self, name: str, first: bool, told: dict[str, Any]) -> Stamp:
        self.refreshes[name] = self.refreshes.get(name, 0) + 1
        positions = {relation: self._position(log) for relation, log in self._frontier(name)}
        marks = {
            BEGAN: self.clock,
            MESSAGE: "The table does not exist yet." if first else "It was cheapest.",
            MODE: "auto",
            MAINTAINED: "incremental",
            BECAUSE: {},
            UNVERSIONED: [],
        }
        return Stamp(
            node=f"model.p.{name}",
            refresh=self.refreshes[name],
            action="FULL" if first else "APPEND",
            reason="first_build" if first else "only_added",
            strategy="create" if first else "append",
            definition="d",
            contract={},
            frontier=Frontier(positions),
            data_timestamp=max((one.committed_at for one in positions.values()), default=self.clock),
            engine="0.1",
            extra={**marks, **told},
        )

    def _frontier(self, name: str) -> list[tuple[str, LogBuilder]]:
        """The sources of a model, through views."""
        found: list[tuple[str, LogBuilder]] = []
        for key in self.nodes[f"model.p.{name}"]["depends_on"]["nodes"]:
            node = self.nodes[key]
            if node["name"] in self.logs:
                found.append((f"{node['schema']}.{node['name']}", self.logs[node["name"]]))
            elif node["config"].get("materialized") in ("view", "ephemeral"):
                found += self._frontier(node["name"])
        return found

    def _position(self, log: LogBuilder) -> SourcePosition:
        return SourcePosition(log.path.name.removesuffix("__trickle"), log.version, log.clock)

    def _log(self, name: str, schema: str, table: str) -> LogBuilder:
        self.logs[name] = LogBuilder(self.folder / "warehouse" / "data" / f"{schema}.db" / table, clock=self.clock)
        return self.logs[name]

    def _tick(self, log: LogBuilder) -> None:
        self.clock += 1000
        log.clock = self.clock

    def save(self, profile: str = PROFILE) -> Path:
        """Project file, profile and manifest."""
        (self.folder / "target").mkdir(parents=True, exist_ok=True)
        (self.folder / "dbt_project.yml").write_text("{name: p, profile: shop}")
        (self.folder / "profiles.yml").write_text(profile)
        sources = {key: node for key, node in self.nodes.items() if node["resource_type"] == "source"}
        others = {key: node for key, node in self.nodes.items() if key not in sources}
        manifest = json.dumps({"nodes": others, "sources": sources})
        (self.folder / "target" / "manifest.json").write_text(manifest)
        return self.folder

    def loaded(self) -> Project:
        """The project as the command line reads it from its folder."""
        return load_project(self.folder, self.folder, None, {})

    @property
    def place(self) -> list[str]:
        """Arguments of a command that reads this project."""
        return ["--project-dir", str(self.folder), "--profiles-dir", str(self.folder)]


def chain(folder: Path, *refreshed: str) -> FabricatedProject:
    """t reads the view v of the source s; u reads t. The named ones were refreshed, the others never."""
    made = FabricatedProject(folder)
    made.source("s")
    made.model("v", "view", ("s",))
    made.model("t", "stream_table", ("v",))
    made.model("u", "stream_table", ("t",))
    for name in refreshed:
        made.refresh(name)
    made.save()
    return made


def random_project(folder: Path, tables: int, commits: int = 3, seed: int = 1) -> FabricatedProject:
    """A project of `tables` stream tables over views over sources; each table with `commits` refreshes."""
    chance = random.Random(seed)
    project = FabricatedProject(folder)
    sources = [f"events_{place}" for place in range(max(1, tables // 6))]
    for name in sources:
        project.source(name)
        project.model(f"stg_{name}", "view", (name,))
    built: dict[str, int] = {}
    for place in range(tables):
        name = f"{chance.choice(('daily', 'weekly', 'sales', 'revenue_by_customer', 'open'))}_{place:03d}"
        shallow = [one for one, depth in built.items() if depth < DEPTH][-20:]
        near = [*shallow, *(f"stg_{one}" for one in chance.sample(sources, min(5, len(sources))))]
        reads = tuple(chance.sample(near, min(len(near), chance.choice((1, 1, 2, 2, 3)))))
        schedule = chance.choice(({}, {"schedule": "5m"}, {"schedule": "1h"}, {"schedule": "calculated"}))
        project.model(name, "stream_table", reads, **schedule)
        built[name] = 1 + max(built.get(one, 0) for one in reads)
    for _ in range(commits):
        for name in built:
            project.refresh(name)
    for name in sources[: max(1, len(sources) // 4)]:
        project.write(name)
    project.save()
    return project
