"""What a table was at a version, asked of any history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dbt.adapters.trickle.history.delta_files.commit import FileFacts, ReaderProtocol
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.table_history import TableHistory


@dataclass(frozen=True)
class Size:
    """How much a version holds; `rows` is None where files lack statistics."""

    rows: int | None
    bytes: int
    files: int


UNKNOWN_SIZE = Size(None, 0, 0)


def metadata_at(history: TableHistory, version: int) -> Metadata:
    return history.definition(version)


def size_at(history: TableHistory, version: int) -> Size:
    return history.size(version)


def files_at(history: TableHistory, version: int) -> Mapping[str, FileFacts]:
    return history.files(version)


def clustering_at(history: TableHistory, version: int) -> tuple[str, ...] | None:
    return history.clustering(version)


def protocol_at(history: TableHistory, version: int) -> ReaderProtocol:
    return history.protocol(version)
