"""What a table was at a version: definition, rows and bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dbt.adapters.trickle.history.delta_files.checksum import checksum_of
from dbt.adapters.trickle.history.delta_files.commit import DataFile, FileFacts, ReaderProtocol
from dbt.adapters.trickle.history.delta_files.log import DeltaLog, LogUnreadable
from dbt.adapters.trickle.history.delta_files.metadata import Metadata

LOOK_BACK = 40
"""Commits read in search of a definition before a checkpoint is opened: Delta writes one every ten commits."""


@dataclass(frozen=True)
class Size:
    """How much a version holds; `rows` is None where files lack statistics."""

    rows: int | None
    bytes: int
    files: int


UNKNOWN_SIZE = Size(None, 0, 0)


def metadata_at(log: DeltaLog, version: int) -> Metadata:
    """The definition in force at `version`: from its checksum file, else the nearest earlier definition."""
    for earlier in range(version, max(-1, version - LOOK_BACK), -1):
        checksum = checksum_of(log, earlier)
        if checksum is not None and checksum.metadata is not None:
            return checksum.metadata
        if not log.has(earlier):
            break
        metadata = log.commit(earlier).metadata
        if metadata is not None:
            return metadata
    return _metadata_from_checkpoint(log, version)


def size_at(log: DeltaLog, version: int) -> Size:
    """Rows and bytes at `version`: from its checksum file when that lists the files, else from a checkpoint."""
    checksum = checksum_of(log, version)
    if checksum is not None and checksum.files is not None:
        return _size_of(checksum.files)
    return _size_from_checkpoint(log, version)


def files_at(log: DeltaLog, version: int) -> dict[str, FileFacts]:
    """The files of `version` by their paths: from its checksum file when that lists them, else from a checkpoint."""
    checksum = checksum_of(log, version)
    if checksum is not None and checksum.files is not None:
        return {file.path: file.facts for file in checksum.files}
    return _files_from_checkpoint(log, version)


def clustering_at(log: DeltaLog, version: int) -> tuple[str, ...] | None:
    """Liquid clustering columns at `version`, () for none; None when no checksum file tells."""
    checksum = checksum_of(log, version)
    return None if checksum is None else checksum.clustering


def protocol_at(log: DeltaLog, version: int) -> ReaderProtocol:
    """What a reader of `version` must know: from its checksum file, else the nearest earlier commit that says so."""
    for earlier in range(version, max(-1, version - LOOK_BACK), -1):
        checksum = checksum_of(log, earlier)
        if checksum is not None and checksum.protocol is not None:
            return checksum.protocol
        if not log.has(earlier):
            break
        protocol = log.commit(earlier).protocol
        if protocol is not None:
            return protocol
    found = reconstructed(log, version).protocol()
    return found.min_reader_version, frozenset(found.reader_features or ())


def _size_of(files: Iterable[DataFile]) -> Size:
    rows: int | None = 0
    total = count = 0
    for file in files:
        count += 1
        total += file.size
        rows = None if rows is None or file.rows is None else rows + file.rows
    return Size(rows, total, count)


def reconstructed(log: DeltaLog, version: int) -> Any:
    """The version as the deltalake library reads it, checkpoints and all."""
    # deltalake takes a tenth of a second to import and is needed only when the log's tail does not tell.
    from deltalake import DeltaTable
    from deltalake.exceptions import DeltaError

    try:
        return DeltaTable(str(log.path), version=version)
    except (DeltaError, OSError, ValueError) as failure:
        message = f"version {version} of {log.path} cannot be reconstructed: {' '.join(str(failure).split())}"
        raise LogUnreadable(message, log.path) from failure


def _metadata_from_checkpoint(log: DeltaLog, version: int) -> Metadata:
    table = reconstructed(log, version)
    found = table.metadata()
    return Metadata(
        id=str(found.id),
        schema_string=table.schema().to_json(),
        partition_columns=tuple(found.partition_columns),
        properties=dict(found.configuration),
        description=found.description or "",
    )


def _size_from_checkpoint(log: DeltaLog, version: int) -> Size:
    actions = reconstructed(log, version).get_add_actions(flatten=True)
    sizes = actions.column("size_bytes").to_pylist()
    records = actions.column("num_records").to_pylist() if "num_records" in actions.schema.names else []
    deleted = _deleted_rows(actions)
    known = len(records) == len(sizes) and all(count is not None for count in records)
    return Size(sum(records) - deleted if known else None, sum(sizes), len(sizes))


def _files_from_checkpoint(log: DeltaLog, version: int) -> dict[str, FileFacts]:
    """Statistics as the checkpoint holds them, told again the way commits tell them."""
    actions = reconstructed(log, version).get_add_actions(flatten=True).to_struct_array().to_pylist()
    return {action["path"]: _facts(action) for action in actions}


def _facts(action: Mapping[str, Any]) -> FileFacts:
    def told(prefix: str) -> dict[str, Any]:
        # A float is what became of a number that JSON told exactly.
        found = {name.removeprefix(prefix): value for name, value in action.items() if name.startswith(prefix)}
        return {name: value for name, value in found.items() if not isinstance(value, float)}

    stats = {
        "numRecords": action.get("num_records"),
        "nullCount": told("null_count."),
        "minValues": told("min."),
        "maxValues": told("max."),
    }
    partition = {name: None if value is None else str(value) for name, value in told("partition.").items()}
    return FileFacts(int(action["size_bytes"]), action.get("num_records"), json.dumps(stats, default=str), partition)


def _deleted_rows(actions: Any) -> int:
    names = [name for name in actions.schema.names if name.lower().endswith("cardinality")]
    return sum(value or 0 for name in names for value in actions.column(name).to_pylist())
