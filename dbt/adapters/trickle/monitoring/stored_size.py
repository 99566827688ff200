"""The size of a stream table: rows, bytes, and the share of the hidden columns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.files import VersionFile, files_at
from dbt.adapters.trickle.monitoring.footer import NotParquet, column_bytes
from dbt.adapters.trickle.names import HIDDEN_PREFIX

COUNT = f"{HIDDEN_PREFIX}count"
SAMPLED_FILES = 4
"""The number of files whose footers are read for the share of the hidden columns; a table may have thousands."""


@dataclass(frozen=True)
class StoredSize:
    """The storage at one version."""

    stored_rows: int | None
    """Rows of the storage: one may represent several visible rows, or a group that HAVING filters out."""
    shown_rows: int | None
    """Visible rows; known if the log shows that each stored row is visible once."""
    bytes: int
    files: int
    hidden_share: float | None
    """Share of the bytes that the hidden columns take; None where no file could be read."""


def stored_size_at(log: DeltaLog, version: int) -> StoredSize:
    """Rows and bytes from the log; the hidden share from the footers of the largest files."""
    files = files_at(log, version, COUNT)
    known = [file.rows for file in files if file.rows is not None]
    stored = sum(known) if len(known) == len(files) else None
    once = all((file.least, file.greatest) == (1, 1) or file.rows == 0 for file in files)
    return StoredSize(
        stored, stored if once else None, sum(file.size for file in files), len(files), _share(log, files)
    )


def _share(log: DeltaLog, files: tuple[VersionFile, ...]) -> float | None:
    hidden = total = 0
    for file in sorted(files, key=lambda file: -file.size)[:SAMPLED_FILES]:
        try:
            sizes = column_bytes(Path(log.data_file(file.path)))
        except (OSError, NotParquet):
            # The log lists the file all the same; only its share stays unknown.
            continue
        hidden += sum(size for name, size in sizes.items() if name.startswith(HIDDEN_PREFIX))
        total += sum(sizes.values())
    return hidden / total if total else None
