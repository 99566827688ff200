"""What keeps Spark from reading a table, by its files: a table that cannot be read is not called unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from dbt.adapters.trickle.history.delta_files.checksum import checksum_of
from dbt.adapters.trickle.history.delta_files.commit import DataFile
from dbt.adapters.trickle.history.delta_files.log import LogFiles
from dbt.adapters.trickle.ports import LogStore

MAGIC = b"PAR1"
"""Begins and ends every Parquet file."""
COMMITS, FILES = 20, 200
"""How many are checked, the newest of them: the check must cost no more than the answer that nothing changed."""


def damage(log: LogFiles) -> str:
    """What is wrong with the newest version; '' where nothing is found. A commit that is damaged raises by itself."""
    checkpoint, parts = log.newest_checkpoint()
    for file in parts:
        if not is_parquet(log.store, file):
            return f"the checkpoint {file} is damaged: it is no Parquet file"
    first = checkpoint + 1
    lost = next((version for version in range(first, log.latest) if not log.has(version)), None)
    if lost is not None:
        return f"the commit {log.commit_file(lost)} is missing"
    missing = next((file for file in islice(_data_files(log, first), FILES) if not log.has_file(file.path)), None)
    return "" if missing is None else f"the data file {log.data_file(missing.path)} is missing"


def is_parquet(store: LogStore, file: str) -> bool:
    """Whether it begins and ends as one; a checkpoint may be written as JSON instead."""
    if file.endswith(".json"):
        return True
    status = store.stat(file)
    return status is not None and status.size > 2 * len(MAGIC) and store.ends(file, len(MAGIC)) == (MAGIC, MAGIC)


def _data_files(log: LogFiles, first: int) -> Iterator[DataFile]:
    """The files of the newest version that are known without opening a checkpoint, the newest first."""
    checksum = checksum_of(log, log.latest)
    if checksum is not None and checksum.files is not None:
        yield from checksum.files
        return
    removed: set[str] = set()
    for version in range(log.latest, max(first, log.latest - COMMITS) - 1, -1):
        commit = log.commit(version)
        yield from (file for file in commit.adds if file.path not in removed)
        removed.update(file.path for file in commit.removes)
