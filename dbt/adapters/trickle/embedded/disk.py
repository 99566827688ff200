"""A full disk, told as such: the catalog's database calls it a read-only user, Spark a failed task."""

from __future__ import annotations

import shutil
from pathlib import Path

from dbt.adapters.exceptions.connection import FailedToConnectError

# An empty catalog alone takes 10 MB, and a run writes its logs and scratch files before any table.
NEEDED_BYTES = 64 * 1024**2
FULL_BYTES = 1024**2


def is_full(folder: Path) -> bool:
    return shutil.disk_usage(folder).free < FULL_BYTES


def full_sentence(folder: Path) -> str:
    return f"The disk that holds {folder} is full: free some space and run again."


def refuse_too_little(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < NEEDED_BYTES:
        raise FailedToConnectError(
            f"The disk that holds {folder} has only {free // 1024**2} MB left and Spark needs at least "
            f"{NEEDED_BYTES // 1024**2}: free some space, or choose another folder with `warehouse` in the profile."
        )
