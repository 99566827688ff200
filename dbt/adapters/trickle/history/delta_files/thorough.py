"""What keeps a storage from being read. Every file is checked, because a storage can be mended at once."""

from __future__ import annotations

from collections.abc import Iterator

from dbt.adapters.trickle.history.delta_files.checksum import checksum_of
from dbt.adapters.trickle.history.delta_files.damage import is_parquet
from dbt.adapters.trickle.history.delta_files.delta_log import DeltaLog
from dbt.adapters.trickle.history.delta_files.log import LogUnreadable

OPENED = 256
"""Files up to which the first and the last bytes of each are read."""


def damage_in_log(log: DeltaLog) -> str:
    """Which file of the log is gone or not what its name promises; '' where Delta can read the newest version's log."""
    return next(_log_damage(log), "")


def damage_in_files(log: DeltaLog) -> str:
    """Which data file of the newest version is gone or cut short; '' where all have their names and sizes.

    No data is read: a file with other bytes of the same number is found by whoever reads it.
    """
    return next(_file_damage(log), "")


def _log_damage(log: DeltaLog) -> Iterator[str]:
    """Delta reads the newest checkpoint and every commit after it."""
    checkpoint, parts = log.newest_checkpoint()
    for file in parts:
        if not is_parquet(log.store, file):
            yield f"{file} is damaged"
    for version in range(checkpoint + 1, log.latest + 1):
        if not log.has(version):
            yield f"{log.commit_file(version)} is gone"
        try:
            log.commit(version)
        except LogUnreadable as failure:
            yield str(failure)


def _file_damage(log: DeltaLog) -> Iterator[str]:
    try:
        files = log.files(log.latest)
    except LogUnreadable:
        # The log is newer than the library that replays it; Spark knows more.
        return
    for path, facts in files.items():
        file = log.data_file(path)
        try:
            status = log.store.stat(file)
        except OSError as failure:
            yield f"{file} cannot be read ({failure.strerror})"
            continue
        if status is None:
            yield f"{file} is gone"
        elif facts.size and status.size != facts.size:
            yield f"{file} has {status.size} bytes and not the {facts.size} that were written"
        elif status.size and len(files) <= OPENED and not is_parquet(log.store, file):
            yield f"{file} is damaged"
    for vector in _deletion_vectors(log):
        if not log.has_file(vector):
            yield f"{log.data_file(vector)} is gone"


def _deletion_vectors(log: DeltaLog) -> list[str]:
    """Files beside the data that hold which of its rows are deleted.

    Known from the checksum file, which may be missing; whoever reads the table then finds that a vector is gone.
    """
    checksum = checksum_of(log, log.latest)
    return [file.vector for file in (checksum.files or () if checksum is not None else ()) if file.vector]
