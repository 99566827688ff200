"""A table's log in files: its versions and their commits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from urllib.parse import unquote

from dbt.adapters.trickle.history.delta_files.commit import Commit, read_commit
from dbt.adapters.trickle.history.delta_files.log_folder import LogFolder
from dbt.adapters.trickle.history.local_store import LOCAL
from dbt.adapters.trickle.history.table_history import LogUnreadable, Named
from dbt.adapters.trickle.ports import LogStore

__all__ = ["LogFiles", "LogUnreadable"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")


class LogFiles:
    """The log of the table at `path`, as it was when first asked.

    With `until`, the log as it was at that version: what was committed afterwards does not exist. Logs that share a
    folder share its listing and the contents of its files.
    """

    def __init__(
        self, path: Path, until: int | None = None, store: LogStore = LOCAL, folder: LogFolder | None = None
    ) -> None:
        self.path = path
        self.until = until
        self.location = str(path)
        self.folder = LogFolder(self.location, store) if folder is None else folder

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.location!r})"

    @property
    def store(self) -> LogStore:
        return self.folder.store

    @property
    def exists(self) -> bool:
        return bool(self.versions)

    @cached_property
    def versions(self) -> frozenset[int]:
        """Versions whose commit file is still there."""
        try:
            listed = self.folder.versions
        except OSError as failure:
            raise LogUnreadable(f"{self.folder.location} cannot be read ({failure.strerror})", self.path) from failure
        return listed if self.until is None else frozenset(version for version in listed if version <= self.until)

    @property
    def latest(self) -> int:
        versions = self.versions
        if not versions:
            raise LogUnreadable(f"{self.location} holds no Delta log", self.path)
        return max(versions)

    def has(self, version: int) -> bool:
        return version in self.versions

    def commit(self, version: int) -> Commit:
        file = self.commit_file(version)
        try:
            commit = self.folder.parsed(file, partial(read_commit, version))
        except OSError as failure:
            raise LogUnreadable(f"{file} cannot be read ({failure.strerror})", self.path) from failure
        except (ValueError, KeyError, TypeError, AttributeError) as failure:
            raise LogUnreadable(f"the commit {file} is damaged ({_shown(failure)})", self.path) from failure
        if commit is None:
            raise LogUnreadable(f"version {version} of {self.location} has been cleaned out of the log", self.path)
        return commit

    def commit_text(self, version: int) -> str:
        """A commit's file as text, however damaged it is. Raises OSError."""
        return self.store.read(self.commit_file(version)).decode("utf-8", "replace")

    def data_file(self, path: str) -> str:
        """The location of a file named by an action: beside the log, or elsewhere after a shallow clone."""
        plain = unquote(path)
        if plain.startswith("file:"):
            return "/" + plain.removeprefix("file:").lstrip("/")
        return plain if plain.startswith("/") else f"{self.location}/{plain}"

    def has_file(self, path: str) -> bool:
        """Whether a file named by an action exists. On another file system every file counts as existing."""
        elsewhere = _SCHEME.match(path) is not None and not path.startswith("file:")
        return elsewhere or self.store.stat(self.data_file(path)) is not None

    def paths(self, files: Sequence[Named]) -> tuple[str, ...]:
        """Absolute paths of the files; () where one of them is not there."""
        paths = tuple(self.data_file(file.path) for file in files)
        return paths if all(self.store.stat(path) is not None for path in paths) else ()

    def commit_file(self, version: int) -> str:
        return f"{self.folder.location}/{version:020d}.json"

    def checksum_file(self, version: int) -> str:
        return f"{self.folder.location}/{version:020d}.crc"

    def newest_checkpoint(self) -> tuple[int, tuple[str, ...]]:
        """Version and files of the newest one; -1 and no files where there is none."""
        listed = [(version, file) for version, file in self.folder.checkpoints if version <= self.latest]
        newest = max((version for version, _ in listed), default=-1)
        return newest, tuple(file for version, file in listed if version == newest)


def _shown(failure: Exception) -> str:
    return f"{type(failure).__name__}: {' '.join(str(failure).split())}"
