"""What happened to a source since the frontier, as read from its log without a Spark job."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from trickle.catalog.frontier import SourcePosition
from trickle.plan.ranges import ColumnStatistics


class Happened(Enum):
    """The kinds of history that can lie between two versions of a source."""

    NOTHING = "nothing"
    MAINTENANCE = "maintenance"
    """Only commits that change no data: OPTIMIZE, properties, VACUUM."""
    APPENDED = "appended"
    """Only files were added."""
    CHANGED = "changed"
    """Rows were changed in place; the change feed covers the whole range."""
    FEED_MISSING = "feed_missing"
    """Rows were changed but the change feed does not cover the range."""
    REPLACED = "replaced"
    """The table was overwritten by a new definition or an old state (CREATE OR REPLACE, RESTORE)."""
    ALTERED = "altered"
    """Columns that are read are not what they were, or the table is kept otherwise than its feed can tell."""
    RECREATED = "recreated"
    """Another table bears the name now."""
    UNREADABLE = "unreadable"
    """The log or the old version is gone."""
    NOT_VERSIONED = "not_versioned"
    """Not a Delta table."""


@dataclass(frozen=True)
class Probe:
    """One source now, and what happened to it since the frontier."""

    source: str
    now: SourcePosition
    before: SourcePosition | None
    happened: Happened
    detail: str = ""
    """Half a sentence for the reason: 'version 7 is a RESTORE', 'the change feed is off since version 3'."""
    rows_added: int = 0
    rows_removed: int = 0
    bytes_read: int = 0
    files_read: int = 0
    """What must be opened to see the rows that came and went."""
    table_rows: int = 0
    table_bytes: int = 0
    table_files: int = 0
    feed: bool = False
    """Whether `table_changes` can read the whole range."""
    altered: bool = False
    """Whether columns that are read are not what they were."""
    gained: frozenset[str] = frozenset()
    """Columns the table did not have before, in lower case. Nobody reads them, or the table would count as altered."""
    added_paths: tuple[str, ...] = ()
    """For an append without a feed: the data files it added, when each can be read by itself."""
    added_names: tuple[str, ...] = ()
    """For an append without a feed: the names of the files it added, when all still belong to the table."""

    statistics: ColumnStatistics = field(default_factory=ColumnStatistics)
    """Where its values lie, as far as its log tells."""

    @property
    def rows_changed(self) -> int:
        return self.rows_added + self.rows_removed

    @property
    def readable(self) -> bool:
        """Whether the rows that came and went can be read."""
        return self.feed or bool(self.added_paths or self.added_names)
