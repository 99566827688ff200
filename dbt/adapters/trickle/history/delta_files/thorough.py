"""What keeps a storage from being read: every file is looked at, because what is found can be mended at once."""

from __future__ import annotations

import json
import uuid
from base64 import b85decode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.history.delta_files.damage import is_parquet, newest_checkpoint
from dbt.adapters.trickle.history.delta_files.log import DeltaLog, LogUnreadable
from dbt.adapters.trickle.history.delta_files.snapshot import files_at

LOOKED_INTO = 256
"""Files up to which the first and the last bytes of each are looked at."""
Z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
B85 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
ENCODED_UUID = 20


def damage_in_log(log: DeltaLog) -> str:
    """Which file of the log is gone or not what its name says; '' where Delta can read the newest version's log."""
    return next(_log_damage(log), "")


def damage_in_files(log: DeltaLog) -> str:
    """Which data file of the newest version is gone or cut short; '' where all have their names and sizes.

    No data is read: a file with other bytes of the same number is found by whoever reads it.
    """
    return next(_file_damage(log), "")


def _log_damage(log: DeltaLog) -> Iterator[str]:
    """Delta reads the newest checkpoint and every commit after it."""
    checkpoint = newest_checkpoint(log)
    for file in checkpoint:
        if not is_parquet(file):
            yield f"{file} is damaged"
    first = int(checkpoint[0].name[:20]) + 1 if checkpoint else 0
    for version in range(first, log.latest + 1):
        if not log.has(version):
            yield f"{log.commit_file(version)} is gone"
        try:
            log.commit(version)
        except LogUnreadable as failure:
            yield str(failure)


def _file_damage(log: DeltaLog) -> Iterator[str]:
    try:
        files = files_at(log, log.latest)
    except LogUnreadable:
        # The log is newer than the library that replays it; Spark knows more.
        return
    for path, facts in files.items():
        file = log.data_file(path)
        try:
            size = file.stat().st_size
        except FileNotFoundError:
            yield f"{file} is gone"
        except OSError as failure:
            yield f"{file} cannot be read ({failure.strerror})"
        else:
            if facts.size and size != facts.size:
                yield f"{file} has {size} bytes and not the {facts.size} that were written"
            elif size and len(files) <= LOOKED_INTO and not is_parquet(file):
                yield f"{file} is damaged"
    for file in _deletion_vectors(log):
        if not file.exists():
            yield f"{file} is gone"


def _deletion_vectors(log: DeltaLog) -> Iterator[Path]:
    """Files beside the data that say which of its rows are deleted."""
    for body in _listed(log):
        vector: Mapping[str, Any] = body.get("deletionVector") or {}
        if vector.get("storageType") == "u":
            name = str(vector["pathOrInlineDv"])
            folder, encoded = name[:-ENCODED_UUID], name[-ENCODED_UUID:]
            unique = uuid.UUID(bytes=b85decode(encoded.translate(str.maketrans(Z85, B85))))
            yield log.path / folder / f"deletion_vector_{unique}.bin"


def _listed(log: DeltaLog) -> list[Mapping[str, Any]]:
    try:
        return list(json.loads(log.checksum_file(log.latest).read_text("utf-8"))["allFiles"])
    except (OSError, ValueError, KeyError, TypeError):
        # A convenience that may be missing; a vector that is gone is then found by whoever reads it.
        return []
