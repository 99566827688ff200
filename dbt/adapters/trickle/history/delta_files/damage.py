"""What keeps Spark from reading a table, found in its folder: a table that cannot be read has not rested."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from dbt.adapters.trickle.history.delta_files.checksum import checksum_of
from dbt.adapters.trickle.history.delta_files.commit import DataFile
from dbt.adapters.trickle.history.delta_files.log import DeltaLog

_CHECKPOINT = re.compile(r"(\d{20})\.checkpoint(\.[\w-]+)*\.(parquet|json)")
MAGIC = b"PAR1"
"""Begins and ends every Parquet file."""
COMMITS, FILES = 20, 200
"""How many are looked at, the newest of them: the check must cost no more than the answer that nothing changed."""


def damage(log: DeltaLog) -> str:
    """What is wrong with the newest version; '' where nothing is found. A commit that is damaged raises by itself."""
    checkpoint = newest_checkpoint(log)
    for file in checkpoint:
        if (wrong := _wrong_with(file)) != "":
            return wrong
    first = int(checkpoint[0].name[:20]) + 1 if checkpoint else 0
    lost = next((version for version in range(first, log.latest) if not log.has(version)), None)
    if lost is not None:
        return f"the commit {log.commit_file(lost)} is missing"
    missing = next((file for file in islice(_data_files(log, first), FILES) if not log.has_file(file.path)), None)
    return "" if missing is None else f"the data file {log.data_file(missing.path)} is missing"


def newest_checkpoint(log: DeltaLog) -> list[Path]:
    """All parts of the newest one."""
    found = [file for file in log.folder.iterdir() if _CHECKPOINT.fullmatch(file.name)]
    found = [file for file in found if int(file.name[:20]) <= log.latest]
    newest = max((file.name[:20] for file in found), default="")
    return sorted(file for file in found if file.name.startswith(newest)) if newest else []


def _wrong_with(checkpoint: Path) -> str:
    return "" if is_parquet(checkpoint) else f"the checkpoint {checkpoint} is damaged: it is no Parquet file"


def is_parquet(file: Path) -> bool:
    """Whether it begins and ends as one; a checkpoint may be written as JSON instead."""
    if file.suffix == ".json":
        return True
    with file.open("rb") as content:
        begins = content.read(len(MAGIC))
        size = content.seek(0, 2)
        content.seek(max(0, size - len(MAGIC)))
        ends = content.read()
    return begins == ends == MAGIC and size > 2 * len(MAGIC)


def _data_files(log: DeltaLog, first: int) -> Iterator[DataFile]:
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
