"""The data files a version consists of, with what the log knows of one column in each."""

from __future__ import annotations

import json
from dataclasses import dataclass

from dbt.adapters.trickle.history.delta_files.at_version import reconstructed
from dbt.adapters.trickle.history.delta_files.checksum import checksum_of
from dbt.adapters.trickle.history.delta_files.commit import DataFile
from dbt.adapters.trickle.history.delta_files.log import LogFiles


@dataclass(frozen=True)
class VersionFile:
    """A data file of a version."""

    path: str
    size: int
    rows: int | None
    """Rows a reader sees; None when the log does not hold it."""
    least: int | None = None
    """The least value of the column asked about; None when the log does not hold it."""
    greatest: int | None = None


def files_at(log: LogFiles, version: int, column: str) -> tuple[VersionFile, ...]:
    """From the version's checksum file when that lists the files, else from a checkpoint."""
    checksum = checksum_of(log, version)
    if checksum is not None and checksum.files is not None:
        return tuple(_listed(file, column) for file in checksum.files)
    return _replayed(log, version, column)


def _listed(file: DataFile, column: str) -> VersionFile:
    stats = json.loads(file.stats) if file.stats else {}
    least, greatest = (_number((stats.get(side) or {}).get(column)) for side in ("minValues", "maxValues"))
    return VersionFile(file.path, file.size, file.rows, least, greatest)


def _replayed(log: LogFiles, version: int, column: str) -> tuple[VersionFile, ...]:
    actions = reconstructed(log, version).get_add_actions(flatten=True)
    known = actions.schema.names
    deleted = next((name for name in known if name.lower().endswith("cardinality")), "")
    names = ("path", "size_bytes", "num_records", deleted, f"min.{column}", f"max.{column}")
    count = len(actions.column("path"))
    columns = [actions.column(name).to_pylist() if name in known else [None] * count for name in names]
    return tuple(
        VersionFile(path, size or 0, None if rows is None else rows - (gone or 0), _number(least), _number(greatest))
        for path, size, rows, gone, least, greatest in zip(*columns)
    )


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
