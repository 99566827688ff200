"""A table's log folder: which versions it holds, and their commits."""

from __future__ import annotations

import errno
import re
from functools import cached_property, lru_cache
from pathlib import Path
from urllib.parse import unquote

from dbt.adapters.trickle.history.delta_files.commit import Commit, read_commit

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_COMMIT = re.compile(r"(\d{20})\.json")
CACHED_COMMITS = 512
"""Commits never change once written; a run asks for the same few many times."""


class LogUnreadable(Exception):
    """The log lacks something it is asked for: commits cleaned up, damaged files, or no table at all."""

    def __init__(self, message: str, table: Path | None = None) -> None:
        super().__init__(message)
        self.table = table
        """The folder of the table whose log it is."""


class DeltaLog:
    """The log of the table at `path`, as it was when first asked: make a new one to see later commits.

    With `until`, the log as it was at that version: what was committed afterwards does not exist.
    """

    def __init__(self, path: Path, until: int | None = None) -> None:
        self.path = path
        self.until = until
        self.folder = path / "_delta_log"

    def __repr__(self) -> str:
        return f"DeltaLog({str(self.path)!r})"

    @property
    def exists(self) -> bool:
        return bool(self.versions)

    @cached_property
    def versions(self) -> frozenset[int]:
        """Versions whose commit file is still there."""
        try:
            names = [file.name for file in self.folder.iterdir()]
        except (FileNotFoundError, NotADirectoryError):
            return frozenset()
        except OSError as failure:
            if failure.errno == errno.ENAMETOOLONG:
                # No file system holds such a folder, so there is no table.
                return frozenset()
            raise LogUnreadable(f"{self.folder} cannot be read ({failure.strerror})", self.path) from failure
        versions = (int(match[1]) for name in names if (match := _COMMIT.fullmatch(name)))
        return frozenset(version for version in versions if self.until is None or version <= self.until)

    def at(self, version: int) -> DeltaLog:
        """The log as it was at a version."""
        return DeltaLog(self.path, version)

    @property
    def whole(self) -> DeltaLog:
        """The log as it is by now."""
        return DeltaLog(self.path)

    @property
    def latest(self) -> int:
        if not self.versions:
            raise LogUnreadable(f"{self.path} holds no Delta log", self.path)
        return max(self.versions)

    def commit(self, version: int) -> Commit:
        file = self.commit_file(version)
        try:
            status = file.stat()
        except FileNotFoundError:
            message = f"version {version} of {self.path} has been cleaned out of the log"
            raise LogUnreadable(message, self.path) from None
        except OSError as failure:
            raise LogUnreadable(f"{file} cannot be read ({failure.strerror})", self.path) from failure
        try:
            return _commit(file, version, status.st_mtime_ns, status.st_size)
        except (ValueError, KeyError, TypeError, AttributeError) as failure:
            raise LogUnreadable(f"the commit {file} is damaged ({_shown(failure)})", self.path) from failure

    def has(self, version: int) -> bool:
        return version in self.versions

    def data_file(self, path: str) -> Path:
        """Where a file named by an action lies: beside the log, or elsewhere after a shallow clone."""
        plain = unquote(path)
        if plain.startswith("file:"):
            return Path("/" + plain.removeprefix("file:").lstrip("/"))
        return self.path / plain

    def has_file(self, path: str) -> bool:
        """Whether a file named by an action is there. What lies on another file system is not looked for."""
        elsewhere = _SCHEME.match(path) is not None and not path.startswith("file:")
        return elsewhere or self.data_file(path).exists()

    def commit_file(self, version: int) -> Path:
        return self.folder / f"{version:020d}.json"

    def checksum_file(self, version: int) -> Path:
        return self.folder / f"{version:020d}.crc"


def _shown(failure: Exception) -> str:
    return f"{type(failure).__name__}: {' '.join(str(failure).split())}"


@lru_cache(maxsize=CACHED_COMMITS)
def _commit(file: Path, version: int, modified: int, size: int) -> Commit:
    """Modification time and size are part of the key: a dropped and recreated table reuses file names."""
    return read_commit(file, version)
