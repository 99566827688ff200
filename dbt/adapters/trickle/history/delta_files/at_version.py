"""What a table was at a version, from its log's files: definition, rows and bytes, data files, protocol."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from dbt.adapters.trickle.history.delta_files.checksum import checksum_of
from dbt.adapters.trickle.history.delta_files.commit import DataFile, FileFacts, ReaderProtocol
from dbt.adapters.trickle.history.delta_files.log import LogFiles, LogUnreadable
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.snapshot import Size

LOOK_BACK = 40
"""Commits read in search of a definition before a checkpoint is opened: Delta writes one every ten commits."""


def definition(log: LogFiles, version: int) -> Metadata:
    """The definition at `version`: from its checksum file, else the nearest earlier definition."""
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


def size(log: LogFiles, version: int) -> Size:
    """Rows and bytes at `version`: from its checksum file when that lists the files, else from a checkpoint."""
    checksum = checksum_of(log, version)
    if checksum is not None and checksum.files is not None:
        return _size_of(checksum.files)
    return _size_from_checkpoint(log, version)


def files(log: LogFiles, version: int) -> dict[str, FileFacts]:
    """The files of `version` by their paths: from its checksum file when that lists them, else from a checkpoint."""
    checksum = checksum_of(log, version)
    if checksum is not None and checksum.files is not None:
        return {file.path: file.facts for file in checksum.files}
    return _files_from_checkpoint(log, version)


DELETION_VECTORS = "deletionVectors"
"""The feature of tables whose files may hold rows that are not theirs any more."""


def data_files(log: LogFiles, version: int) -> dict[str, DataFile]:
    """The files of `version` as the deltalake library reads its checkpoint and the commits after it.

    None of a table that may have deletion vectors: the library does not tell which files have them.
    """
    if DELETION_VECTORS in protocol(log, version)[1]:
        return {}
    return log.folder.once(f"data files {version}", lambda: _data_files_from_checkpoint(log, version))


def _data_files_from_checkpoint(log: LogFiles, version: int) -> dict[str, DataFile]:
    actions = reconstructed(log, version).get_add_actions(flatten=True).to_struct_array().to_pylist()
    return {action["path"]: _data_file(action) for action in actions}


def _data_file(action: Mapping[str, Any]) -> DataFile:
    facts = _facts(action)
    return DataFile(action["path"], facts.size, facts.rows, True, None, facts.stats, facts.partition)


def clustering(log: LogFiles, version: int) -> tuple[str, ...] | None:
    """Liquid clustering columns at `version`, () for none; None when no checksum file holds them."""
    checksum = checksum_of(log, version)
    return None if checksum is None else checksum.clustering


def protocol(log: LogFiles, version: int) -> ReaderProtocol:
    """What a reader of `version` must know: from its checksum file, else the nearest earlier commit that changed it."""
    for earlier in range(version, max(-1, version - LOOK_BACK), -1):
        checksum = checksum_of(log, earlier)
        if checksum is not None and checksum.protocol is not None:
            return checksum.protocol
        if not log.has(earlier):
            break
        changed = log.commit(earlier).protocol
        if changed is not None:
            return changed
    stored = reconstructed(log, version).protocol()
    return stored.min_reader_version, frozenset(stored.reader_features or ())


def _size_of(files: Iterable[DataFile]) -> Size:
    rows: int | None = 0
    total = count = 0
    for file in files:
        count += 1
        total += file.size
        rows = None if rows is None or file.rows is None else rows + file.rows
    return Size(rows, total, count)


def reconstructed(log: LogFiles, version: int) -> Any:
    """The version as the deltalake library reads it, checkpoints and all; replayed once."""
    return log.folder.once(f"version {version}", lambda: _replayed(log, version))


def _replayed(log: LogFiles, version: int) -> Any:
    # deltalake takes a tenth of a second to import and is needed only where the newest commits are not enough.
    from deltalake import DeltaTable
    from deltalake.exceptions import DeltaError

    try:
        return DeltaTable(log.location, version=version)
    except (DeltaError, OSError, ValueError) as failure:
        message = f"version {version} of {log.location} cannot be reconstructed: {' '.join(str(failure).split())}"
        raise LogUnreadable(message, log.path) from failure


def _metadata_from_checkpoint(log: LogFiles, version: int) -> Metadata:
    table = reconstructed(log, version)
    stored = table.metadata()
    return Metadata(
        id=str(stored.id),
        schema_string=table.schema().to_json(),
        partition_columns=tuple(stored.partition_columns),
        properties=dict(stored.configuration),
        description=stored.description or "",
    )


def _size_from_checkpoint(log: LogFiles, version: int) -> Size:
    actions = reconstructed(log, version).get_add_actions(flatten=True)
    sizes = actions.column("size_bytes").to_pylist()
    records = actions.column("num_records").to_pylist() if "num_records" in actions.schema.names else []
    deleted = _deleted_rows(actions)
    known = len(records) == len(sizes) and all(count is not None for count in records)
    return Size(sum(records) - deleted if known else None, sum(sizes), len(sizes))


def _files_from_checkpoint(log: LogFiles, version: int) -> dict[str, FileFacts]:
    """Statistics of a checkpoint, in the form in which commits hold them."""
    actions = reconstructed(log, version).get_add_actions(flatten=True).to_struct_array().to_pylist()
    return {action["path"]: _facts(action) for action in actions}


def _facts(action: Mapping[str, Any]) -> FileFacts:
    def under(prefix: str) -> dict[str, Any]:
        # A float has lost digits that the number had in JSON.
        values = {name.removeprefix(prefix): value for name, value in action.items() if name.startswith(prefix)}
        return {name: value for name, value in values.items() if not isinstance(value, float)}

    stats = {
        "numRecords": action.get("num_records"),
        "nullCount": under("null_count."),
        "minValues": under("min."),
        "maxValues": under("max."),
    }
    partition = {name: None if value is None else str(value) for name, value in under("partition.").items()}
    return FileFacts(int(action["size_bytes"]), action.get("num_records"), json.dumps(stats, default=str), partition)


def _deleted_rows(actions: Any) -> int:
    names = [name for name in actions.schema.names if name.lower().endswith("cardinality")]
    return sum(value or 0 for name in names for value in actions.column(name).to_pylist())
