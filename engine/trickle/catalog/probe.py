"""A source now, and what happened to it since the frontier, as read from its history without a Spark job."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

from typing_extensions import assert_never

from trickle.catalog.changed_rows import Changes
from trickle.catalog.frontier import SourcePosition
from trickle.catalog.happened import (
    Altered,
    Appended,
    Changed,
    FeedMissing,
    First,
    Happened,
    HistoryLost,
    MaintenanceOnly,
    NotVersioned,
    Overwritten,
    Recreated,
    Unchanged,
)
from trickle.catalog.source_files import SourceFiles
from trickle.plan.ranges import ColumnStatistics


@dataclass(frozen=True)
class TableSize:
    """How much a source holds; zero where its history does not tell."""

    rows: int = 0
    bytes: int = 0
    files: int = 0


@dataclass(frozen=True)
class Volume:
    """The rows that came and went, and how much must be opened to read them."""

    added: int = 0
    removed: int = 0
    bytes: int = 0
    files: int = 0

    @property
    def rows(self) -> int:
        return self.added + self.removed


@dataclass(frozen=True)
class Probe:
    """One source now, and what happened to it since the frontier."""

    source: str
    now: SourcePosition
    happened: Happened
    size: TableSize = field(default_factory=TableSize)
    volume: Volume = field(default_factory=Volume)
    statistics: ColumnStatistics = field(default_factory=ColumnStatistics)
    """The ranges of its columns, as far as its history tells."""
    files: SourceFiles = field(default_factory=SourceFiles)
    """What can be read by its files."""

    @property
    def changes(self) -> Optional[Changes]:
        """The rows that came and went, where there are such and they can be read."""
        match self.happened:
            case Appended(changes=changes) | Changed(changes=changes) | Overwritten(changes=changes):
                return changes
            case First() | Unchanged() | MaintenanceOnly() | FeedMissing() | Altered() | Recreated() | HistoryLost():
                return None
            case NotVersioned():
                return None
            case _:
                assert_never(self.happened)

    @property
    def is_quiet(self) -> bool:
        """Whether no row has changed since it was read last."""
        return isinstance(self.happened, (First, Unchanged, MaintenanceOnly))

    @property
    def columns_altered(self) -> bool:
        """Whether columns that are read are not the same as before."""
        match self.happened:
            case Overwritten(columns_altered=altered) | Altered(columns_altered=altered):
                return altered
            case HistoryLost(columns_altered=altered):
                return altered
            case First() | Unchanged() | MaintenanceOnly() | Appended() | Changed() | FeedMissing():
                return False
            case Recreated() | NotVersioned():
                return False
            case _:
                assert_never(self.happened)
