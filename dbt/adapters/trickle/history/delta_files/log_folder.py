"""The files of one table's log: listed once, each opened once, whoever asks and however often."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from threading import RLock
from typing import Any, TypeVar

from dbt.adapters.trickle.ports import FileStatus, LogStore

_COMMIT = re.compile(r"(\d{20})\.json")
_CHECKPOINT = re.compile(r"(\d{20})\.checkpoint(\.[\w-]+)*\.(parquet|json)")

T = TypeVar("T")
Known = dict[str, tuple[FileStatus, Any]]
"""File → its status when it was read, and what was made of it."""


class LogFolder:
    """A log as it was when it was first asked. Shared by the threads of a run.

    What was read from a file is taken over by the next listing of the same log as long as the file's status is the
    same: a table that is dropped and created again uses the names of its files again.
    """

    def __init__(
        self,
        location: str,
        store: LogStore,
        known: Known | None = None,
        replaced: Callable[[LogFolder], None] = lambda folder: None,
    ) -> None:
        """`replaced` is called with the folder that is to take the place of this one."""
        self.location = f"{location}/_delta_log"
        self.store = store
        self._replaced = replaced
        self._known: Known = {} if known is None else known
        self._current: set[str] = set()
        self._made: dict[str, Any] = {}
        self._names: tuple[str, ...] | None = None
        self._lock = RLock()

    @property
    def names(self) -> tuple[str, ...]:
        with self._lock:
            if self._names is None:
                self._names = tuple(self.store.list(self.location))
            return self._names

    @cached_property
    def versions(self) -> frozenset[int]:
        """Versions whose commit file is there."""
        return frozenset(int(match[1]) for name in self.names if (match := _COMMIT.fullmatch(name)))

    @cached_property
    def checkpoints(self) -> tuple[tuple[int, str], ...]:
        """Version and file of each part of a checkpoint, in order."""
        matches = (_CHECKPOINT.fullmatch(name) for name in self.names)
        return tuple(sorted((int(match[1]), f"{self.location}/{match[0]}") for match in matches if match))

    def parsed(self, file: str, parse: Callable[[bytes, FileStatus], T]) -> T | None:
        """What `parse` makes of a file; None where there is no such file. Raises what the store and `parse` raise."""
        with self._lock:
            value: T
            if file in self._current:
                value = self._known[file][1]
                return value
            status = self.store.stat(file)
            if status is None:
                return None
            known = self._known.get(file)
            if known is not None and known[0] == status:
                value = known[1]
            else:
                value = parse(self.store.read(file), status)
                self._known[file] = (status, value)
            self._current.add(file)
            return value

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What is made of several files together, made once a listing."""
        with self._lock:
            if name not in self._made:
                self._made[name] = make()
            value: T = self._made[name]
            return value

    def again(self) -> LogFolder:
        """The log as it is by now; this one if nothing of it was read yet."""
        with self._lock:
            if self._names is None and not self._current:
                return self
        return LogFolder(self.location.removesuffix("/_delta_log"), self.store, self._known, self._replaced)

    def by_now(self) -> LogFolder:
        """The same, and whoever shares this folder is told."""
        folder = self.again()
        self._replaced(folder)
        return folder
