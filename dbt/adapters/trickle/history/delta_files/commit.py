"""One commit of a table, as its JSON file in a Delta log holds it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.vectors import Vector, vector_of
from dbt.adapters.trickle.ports import FileStatus

ReaderProtocol = tuple[int, frozenset[str]]
"""The least version of a reader, and the features it must know."""

REPLACING = ("CREATE OR REPLACE TABLE", "REPLACE TABLE", "CLONE", "RESTORE")
"""Operations that put a new definition or an old state in the place of what was there."""


@dataclass(frozen=True)
class FileFacts:
    """What the log knows of a file's contents."""

    size: int
    rows: int | None
    """Rows a reader sees; None when the log does not hold their number."""
    stats: str | None = None
    """Delta's statistics, as JSON."""
    partition: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True)
class DataFile:
    """A data file a commit added or removed."""

    path: str
    size: int
    rows: int | None
    """Rows a reader sees; None when the log does not hold their number."""
    data_change: bool
    deleted: Vector | None = None
    """The deletion vector that hides some of its rows."""
    stats: str | None = None
    partition: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def hides_rows(self) -> bool:
        return self.deleted is not None

    @property
    def vector(self) -> str:
        """The file that holds the deletion vector, where it is one of its own."""
        return "" if self.deleted is None else self.deleted.path

    @cached_property
    def counted(self) -> frozenset[str]:
        """The columns whose NULLs the log counts, which the file therefore has."""
        return frozenset((json.loads(self.stats) if self.stats else {}).get("nullCount") or {})

    @property
    def facts(self) -> FileFacts:
        return FileFacts(self.size, self.rows, self.stats, self.partition)


@dataclass(frozen=True)
class ChangeFile:
    """A file that was written for the change feed alone."""

    path: str
    size: int


@dataclass(frozen=True)
class Commit:
    """What one version did."""

    version: int
    committed_at: int
    operation: str
    parameters: Mapping[str, Any]
    metrics: Mapping[str, str]
    user_metadata: str | None
    adds: tuple[DataFile, ...]
    removes: tuple[DataFile, ...]
    change_files: tuple[ChangeFile, ...]
    """Where there are any, the feed is read from them and not from the data files."""
    metadata: Metadata | None
    """Present only when the commit changed the table's definition or properties."""
    protocol: ReaderProtocol | None = None
    """Present only when the commit changed it."""

    @cached_property
    def added(self) -> tuple[DataFile, ...]:
        """Files whose rows are new, compaction left out."""
        return tuple(file for file in self.adds if file.data_change)

    @cached_property
    def removed(self) -> tuple[DataFile, ...]:
        return tuple(file for file in self.removes if file.data_change)

    @property
    def feed_files(self) -> tuple[ChangeFile | DataFile, ...]:
        """What the feed is read from: where it has no files of its own, the whole of each data file."""
        return self.change_files or (*self.added, *self.removed)

    @property
    def changes_data(self) -> bool:
        return bool(self.added or self.removed)

    @property
    def replaces(self) -> bool:
        """Whether the table was put in place anew, so that its past explains nothing about its present."""
        return self.operation.startswith(REPLACING) and (self.changes_data or self.metadata is not None)

    @property
    def metric_rows(self) -> Mapping[str, int]:
        return {name: int(value) for name, value in self.metrics.items() if str(value).isdigit()}


def read_commit(version: int, content: bytes, status: FileStatus) -> Commit:
    """Parse `<version>.json`; unknown actions are passed over."""
    info: dict[str, Any] = {}
    adds: list[DataFile] = []
    removes: list[DataFile] = []
    change_files: list[ChangeFile] = []
    metadata: Metadata | None = None
    protocol: ReaderProtocol | None = None
    for line in content.decode("utf-8").split("\n"):
        for action, body in json.loads(line).items() if line.strip() else ():
            if action == "add":
                adds.append(data_file(body))
            elif action == "remove":
                removes.append(data_file(body))
            elif action == "cdc":
                change_files.append(ChangeFile(body["path"], int(body.get("size") or 0)))
            elif action == "commitInfo":
                info = body
            elif action == "metaData":
                metadata = Metadata.from_action(body)
            elif action == "protocol":
                protocol = reader_protocol(body)
    return Commit(
        version=version,
        committed_at=_committed_at(info, status),
        operation=str(info.get("operation", "")),
        parameters=info.get("operationParameters") or {},
        metrics=info.get("operationMetrics") or {},
        user_metadata=info.get("userMetadata"),
        adds=tuple(adds),
        removes=tuple(removes),
        change_files=tuple(change_files),
        metadata=metadata,
        protocol=protocol,
    )


def reader_protocol(body: Mapping[str, Any]) -> ReaderProtocol:
    return int(body["minReaderVersion"]), frozenset(body.get("readerFeatures") or ())


def _committed_at(info: Mapping[str, Any], status: FileStatus) -> int:
    """Writers may leave out commitInfo; the file's own time is then all there is."""
    written = info.get("inCommitTimestamp", info.get("timestamp"))
    return int(written) if written is not None else status.modified_ns // 1_000_000


def data_file(body: Mapping[str, Any]) -> DataFile:
    rows = _num_records(body.get("stats"))
    described = body.get("deletionVector") or {}
    deleted = vector_of(described) if described else None
    if rows is not None and deleted is not None:
        rows -= deleted.rows
    return DataFile(
        body["path"],
        int(body.get("size") or 0),
        rows,
        bool(body.get("dataChange", True)),
        deleted,
        body.get("stats"),
        body.get("partitionValues") or {},
    )


def _num_records(stats: str | None) -> int | None:
    if not stats:
        return None
    rows = json.loads(stats).get("numRecords")
    return None if rows is None else int(rows)
