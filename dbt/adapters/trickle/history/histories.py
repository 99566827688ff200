"""The histories of one run's tables: every thread, model and command asks here, so that a log is listed once."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Lock

from dbt.adapters.trickle.history.delta_files.delta_log import DeltaLog
from dbt.adapters.trickle.history.delta_files.log_folder import LogFolder
from dbt.adapters.trickle.history.local_store import LOCAL
from dbt.adapters.trickle.ports import LogStore


class Histories:
    """A log is listed once for each moment that matters.

    The first time that somebody asks (what is due is judged by that), the first time that a refresh reads the table
    (Spark may have been waited for since, and hooks may have run), and after this run has written to it. A file of a
    log is read once, however often the log is listed.
    """

    def __init__(self, store: LogStore = LOCAL) -> None:
        self._store = store
        self._folders: dict[str, LogFolder] = {}
        self._read: set[str] = set()
        self._lock = Lock()

    def of(self, table: Path) -> DeltaLog:
        """The history of the table in a folder, as this run knows it."""
        with self._lock:
            return DeltaLog(table, folder=self._folder(table))

    def for_reading(self, table: Path) -> DeltaLog:
        """The same, as it was for the first refresh of this run that read the table."""
        with self._lock:
            folder = self._folder(table)
            if str(table) not in self._read:
                self._read.add(str(table))
                folder = self._folders[str(table)] = folder.again()
            return DeltaLog(table, folder=folder)

    def by_now(self, table: Path) -> DeltaLog:
        """The history after this run has written to the table, for everybody who asks from now on."""
        return self.of(table).by_now()

    def anything_written(self) -> None:
        """A statement of the user's has run, which may have written to any table."""
        with self._lock:
            self._folders = {table: folder.again() for table, folder in self._folders.items()}

    def _folder(self, table: Path) -> LogFolder:
        known = self._folders.get(str(table))
        if known is None:
            known = self._folders[str(table)] = LogFolder(str(table), self._store, None, partial(self._replace, table))
        return known

    def _replace(self, table: Path, folder: LogFolder) -> None:
        with self._lock:
            self._folders[str(table)] = folder
