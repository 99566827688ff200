"""Happened: what can have happened to a source since the position at which it was read last, as a closed union.

Each variant holds what only it has: the readable changes, or why the rows cannot be told apart from those before.
`label` is its name in reports; `detail` is half a sentence for reasons, such as "version 7 is a RESTORE".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional, Union

from trickle.catalog.changed_rows import Changes
from trickle.catalog.frontier import SourcePosition


@dataclass(frozen=True)
class First:
    """It is read for the first time."""

    label: ClassVar[str] = "nothing"
    detail: str = "it is read for the first time"


@dataclass(frozen=True)
class Unchanged:
    """It is at the same position."""

    label: ClassVar[str] = "nothing"
    detail: str = ""


@dataclass(frozen=True)
class MaintenanceOnly:
    """No row changed: only its files or properties did (OPTIMIZE, VACUUM, SET TBLPROPERTIES)."""

    label: ClassVar[str] = "maintenance"
    detail: str = ""


@dataclass(frozen=True)
class Appended:
    """Rows were added, and none removed."""

    label: ClassVar[str] = "appended"
    changes: Optional[Changes]
    """None where the added rows cannot be read apart from the others; `detail` says why."""
    detail: str = ""


@dataclass(frozen=True)
class Changed:
    """Rows were added and removed, and both can be read."""

    label: ClassVar[str] = "changed"
    changes: Changes
    detail: str = ""


@dataclass(frozen=True)
class Overwritten:
    """It was replaced by a new definition or an old state (CREATE OR REPLACE, RESTORE)."""

    label: ClassVar[str] = "replaced"
    changes: Optional[Changes]
    """None where the difference cannot be read; `detail` says why."""
    detail: str = ""
    columns_altered: bool = False
    """Whether columns that are read are not the same as before."""


@dataclass(frozen=True)
class FeedMissing:
    """Rows were added and removed, and no change feed covers that."""

    label: ClassVar[str] = "feed_missing"
    detail: str = ""


@dataclass(frozen=True)
class Altered:
    """Its definition changed in a way that its changes cannot be read across."""

    label: ClassVar[str] = "altered"
    detail: str = ""
    columns_altered: bool = False
    """Whether columns that are read are not the same as before."""


@dataclass(frozen=True)
class Recreated:
    """Another source has the name now."""

    label: ClassVar[str] = "recreated"
    detail: str = ""


@dataclass(frozen=True)
class HistoryLost:
    """Its history, or the files that hold its changes, are gone."""

    label: ClassVar[str] = "unreadable"
    detail: str = ""
    columns_altered: bool = False
    """Whether columns that are read are not the same as before."""


@dataclass(frozen=True)
class NotVersioned:
    """It has no versions, so that nobody can tell whether it has changed."""

    label: ClassVar[str] = "not_versioned"
    detail: str = "it is not a Delta table"
    before: Optional[SourcePosition] = None
    """Its position when it still had versions."""


Happened = Union[
    First,
    Unchanged,
    MaintenanceOnly,
    Appended,
    Changed,
    Overwritten,
    FeedMissing,
    Altered,
    Recreated,
    HistoryLost,
    NotVersioned,
]
