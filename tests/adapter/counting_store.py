"""The files of this machine, with a count of how often each folder was listed and each file was read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from dbt.adapters.trickle.history.local_store import LocalStore


class CountingStore(LocalStore):
    """Tables are counted by the names of their folders, files of logs by table and name."""

    def __init__(self) -> None:
        self.listings: Counter[str] = Counter()
        self.reads: Counter[str] = Counter()

    def list(self, folder: str) -> tuple[str, ...]:
        names = super().list(folder)
        if names:
            self.listings[Path(folder).parent.name] += 1
        return names

    def read(self, file: str) -> bytes:
        self.reads[f"{Path(file).parent.parent.name}/{Path(file).name}"] += 1
        return super().read(file)

    def read_of(self, table: str) -> int:
        """How many files of a table's log were read."""
        return sum(count for file, count in self.reads.items() if file.startswith(f"{table}/"))
