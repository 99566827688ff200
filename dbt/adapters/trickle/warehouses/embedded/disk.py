"""Errors of the disk as sentences: for a full disk the catalog reports a read-only user, Spark a failed task."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from dbt.adapters.exceptions.connection import FailedToConnectError

# An empty catalog alone takes 10 MB, and a run writes its logs and scratch files before any table.
NEEDED_BYTES = 64 * 1024**2
FULL_BYTES = 1024**2


REFUSED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EDQUOT, errno.ENOTDIR, errno.EEXIST})
"""Error numbers of the system for files that cannot be written."""


def is_full(folder: Path) -> bool:
    return shutil.disk_usage(folder).free < FULL_BYTES


def full_sentence(folder: Path) -> str:
    return f"The disk of {folder} is full: free some space and run again."


@contextmanager
def written_in(folder: Path) -> Generator[None, None, None]:
    """Raises the system's errors when a file is written in the warehouse as one sentence."""
    try:
        yield
    except OSError as failure:
        raise FailedToConnectError(unwritable_sentence(folder, failure)) from failure


def unwritable_sentence(folder: Path, failure: OSError) -> str:
    if failure.errno in (errno.ENOSPC, errno.EDQUOT):
        return full_sentence(folder)
    file_name = f": {failure.filename}" if failure.filename else ""
    return (
        f"The warehouse {folder} cannot be written to ({failure.strerror or type(failure).__name__}{file_name}): "
        "make it writable for this user, or choose another folder with `warehouse` in the profile."
    )


def refuse_too_little(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < NEEDED_BYTES:
        raise FailedToConnectError(
            f"The disk of {folder} has only {free // 1024**2} MB left and Spark needs at least "
            f"{NEEDED_BYTES // 1024**2}: free some space, or choose another folder with `warehouse` in the profile."
        )
