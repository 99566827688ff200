"""Files of this machine as a LogStore."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from dbt.adapters.trickle.ports import FileStatus

ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)
"""Ways in which a file system says that there is no such file. None holds a name that is too long."""


class LocalStore:
    """A location is a path."""

    def list(self, folder: str) -> tuple[str, ...]:
        try:
            return tuple(os.listdir(folder))  # noqa: PTH208 - a name needs no Path of its own
        except OSError as failure:
            if failure.errno in ABSENT:
                return ()
            raise

    def read(self, file: str) -> bytes:
        return Path(file).read_bytes()

    def ends(self, file: str, length: int) -> tuple[bytes, bytes]:
        with Path(file).open("rb") as content:
            first = content.read(length)
            size = content.seek(0, os.SEEK_END)
            content.seek(max(0, size - length))
            return first, content.read()

    def stat(self, file: str) -> FileStatus | None:
        try:
            status = os.stat(file)  # noqa: PTH116 - called for every file a check looks at
        except OSError as failure:
            if failure.errno in ABSENT:
                return None
            raise
        return FileStatus(status.st_size, status.st_mtime_ns)


LOCAL = LocalStore()
