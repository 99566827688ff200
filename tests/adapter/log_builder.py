"""Writes Delta logs by hand, so that every history a probe must judge can be made without Spark."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCHEMA = (("a", "integer"), ("b", "string"))


def schema_string(fields: tuple[tuple[str, Any], ...] = SCHEMA, comment: str | None = None) -> str:
    metadata = {} if comment is None else {"comment": comment}
    return json.dumps(
        {
            "type": "struct",
            "fields": [{"name": name, "type": kind, "nullable": True, "metadata": metadata} for name, kind in fields],
        }
    )


@dataclass
class LogBuilder:
    """A table folder whose commits are written one by one; the clock advances by a second per commit."""

    path: Path
    version: int = -1
    clock: int = 1_000_000

    @property
    def log(self) -> Path:
        folder = self.path / "_delta_log"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def commit(self, operation: str, *actions: dict[str, Any], **info: Any) -> LogBuilder:
        self.version += 1
        self.clock += 1000
        lines = [{"commitInfo": {"timestamp": self.clock, "operation": operation, **info}}, *actions]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (self.log / f"{self.version:020d}.json").write_text(text, encoding="utf-8")
        return self

    def create(self, feed: bool = True, table_id: str = "one") -> LogBuilder:
        protocol = {"protocol": {"minReaderVersion": 1, "minWriterVersion": 4}}
        return self.commit("CREATE TABLE", protocol, metadata(feed=feed, table_id=table_id))

    def append(self, name: str, rows: int = 1) -> LogBuilder:
        return self.commit("WRITE", self.add(name, rows))

    def add(self, name: str, rows: int = 1, data_change: bool = True, deleted: int = 0) -> dict[str, Any]:
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / name).open("wb") as file:
            # As long as the log says, and taking no room.
            file.write(b"PAR1")
            file.truncate(100 * rows)
            file.seek(max(0, 100 * rows - 4))
            file.write(b"PAR1" if rows else b"")
        body: dict[str, Any] = {
            "path": name,
            "size": 100 * rows,
            "partitionValues": {},
            "modificationTime": self.clock,
            "dataChange": data_change,
            "stats": json.dumps({"numRecords": rows, "nullCount": {name: 0 for name, _ in SCHEMA}}),
        }
        if deleted:
            body["deletionVector"] = {"storageType": "u", "cardinality": deleted}
        return {"add": body}

    def checksum(self, table_id: str = "one", clustering: tuple[str, ...] = (), files: bool = False) -> None:
        """The checksum file that Delta writes next to a commit: definition, files and domains in one."""
        definition = next(
            (body for version in range(self.version, -1, -1) if (body := self._definition(version))),
            metadata(table_id=table_id)["metaData"],
        )
        domain = {
            "domain": "delta.clustering",
            "configuration": json.dumps({"clusteringColumns": [[name] for name in clustering]}),
            "removed": not clustering,
        }
        listed = self._files() if files else []
        content = {"metadata": definition, "allFiles": listed, "domainMetadata": [domain]}
        (self.log / f"{self.version:020d}.crc").write_text(json.dumps(content), encoding="utf-8")

    def _files(self) -> list[dict[str, Any]]:
        """The files added by the commits so far, none of which may have removed any."""
        texts = (file.read_text(encoding="utf-8") for file in sorted(self.log.glob("*.json")))
        return [line["add"] for text in texts for line in map(json.loads, text.splitlines()) if "add" in line]

    def _definition(self, version: int) -> dict[str, Any] | None:
        lines = (self.log / f"{version:020d}.json").read_text(encoding="utf-8").splitlines()
        return next((body["metaData"] for body in map(json.loads, lines) if "metaData" in body), None)

    def checkpoint(self, content: bytes = b"PAR1 rows PAR1") -> None:
        """A checkpoint that is never opened."""
        (self.log / f"{self.version:020d}.checkpoint.parquet").write_bytes(content)

    def vacuum(self, name: str) -> None:
        (self.path / name).unlink()

    def clean(self, version: int) -> None:
        (self.log / f"{version:020d}.json").unlink()


def remove(name: str, rows: int | None = 1, data_change: bool = True) -> dict[str, Any]:
    body: dict[str, Any] = {"path": name, "size": 100 * (rows or 1), "dataChange": data_change}
    if rows is not None:
        body["stats"] = json.dumps({"numRecords": rows})
    return {"remove": body}


def metadata(
    feed: bool = True,
    table_id: str = "one",
    fields: tuple[tuple[str, Any], ...] = SCHEMA,
    comment: str | None = None,
    **properties: str,
) -> dict[str, Any]:
    configuration = {"delta.enableChangeDataFeed": str(feed).lower(), **properties}
    return {
        "metaData": {
            "id": table_id,
            "format": {"provider": "parquet", "options": {}},
            "schemaString": schema_string(fields, comment),
            "partitionColumns": [],
            "configuration": configuration,
        }
    }
