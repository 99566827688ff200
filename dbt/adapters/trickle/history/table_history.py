"""The TableHistory port: what happened to a table, version by version. Read only.

Everything else that is asked about a history (the last stamp, what happened to a source since a position, between which
versions rows are the same) is a function of these answers, in `delta_files/`, whichever implementation gives them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from dbt.adapters.trickle.history.delta_files.commit import Commit, DataFile, FileFacts, ReaderProtocol
    from dbt.adapters.trickle.history.delta_files.metadata import Metadata
    from dbt.adapters.trickle.history.delta_files.snapshot import Size


class Named(Protocol):
    """A file that an action of the log names."""

    @property
    def path(self) -> str: ...


class LogUnreadable(Exception):
    """The history lacks what it is asked for: commits were cleaned up, files are damaged, or there is no table."""

    def __init__(self, message: str, table: Path | None = None) -> None:
        super().__init__(message)
        self.table = table
        """The folder of the table; None where it is not on this machine."""


class TableHistory(Protocol):
    """A table's history as it was at one moment. What cannot be answered is a LogUnreadable."""

    @property
    def path(self) -> Path | None:
        """The folder of the table; None where it is not on this machine."""
        ...

    @property
    def exists(self) -> bool: ...

    @property
    def latest(self) -> int: ...

    @property
    def versions(self) -> frozenset[int]:
        """The versions that are still known."""
        ...

    def has(self, version: int) -> bool: ...

    def commit(self, version: int) -> Commit: ...

    def at(self, version: int) -> TableHistory:
        """The history as it was at a version: what was committed afterwards does not exist."""
        ...

    @property
    def whole(self) -> TableHistory:
        """The history up to the newest version."""
        ...

    def definition(self, version: int) -> Metadata: ...

    def size(self, version: int) -> Size:
        """For prices."""
        ...

    def protocol(self, version: int) -> ReaderProtocol: ...

    def clustering(self, version: int) -> tuple[str, ...] | None:
        """Liquid clustering columns, () for none; None where they are not known."""
        ...

    def files(self, version: int) -> Mapping[str, FileFacts]:
        """The data files with their statistics, by the paths that the log writes. Empty where they are not known."""
        ...

    def data_files(self, version: int) -> Mapping[str, DataFile]:
        """The same, as commits name them, from a checkpoint; empty where they are not known."""
        ...

    def has_file(self, path: str) -> bool:
        """Whether a file that a commit names is there; True where this cannot be seen from here."""
        ...

    def paths(self, files: Sequence[Named]) -> tuple[str, ...]:
        """Where Spark reads these files by their paths; () where one of them is not there or is not on this machine."""
        ...

    def damage(self) -> str:
        """What keeps Spark from reading the newest version; '' where nothing is found at little cost."""
        ...
