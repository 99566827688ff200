"""A scenario: tables, stream tables over them, and steps of changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional

from trickle import Column

MINUTE = 60_000


@dataclass(frozen=True)
class SourceTable:
    """A table and its initial rows, each as SQL between parentheses."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class StreamQuery:
    """A stream table: its name and SELECT. It may read tables and the stream tables before it."""

    name: str
    sql: str
    verdict: Optional[str] = None
    """The verdict the engine must give (incremental, recompute), None if any."""


@dataclass(frozen=True)
class Expectation:
    """Conditions on one stream table after a step, besides exactness.

    Action and strategy are those that the engine chooses if recomputing is excluded; every other applicable strategy is
    tried as well.
    """

    view: str
    action: Optional[str] = None
    strategy: Optional[str] = None
    rows: Optional[tuple[str, ...]] = None
    position: str = ""


@dataclass(frozen=True)
class Change:
    """A statement on a source table, and its position in the case file."""

    sql: str
    position: str = ""


@dataclass(frozen=True)
class Step:
    """Changes made in one interval; afterwards every stream table is refreshed and compared."""

    changes: tuple[Change, ...]
    expectations: tuple[Expectation, ...] = ()
    at: Optional[int] = None
    """The instant of its refreshes, epoch milliseconds; None: a minute after those of the step before."""


@dataclass(frozen=True)
class Scenario:
    """A scenario to verify."""

    id: str
    why: str
    tables: tuple[SourceTable, ...]
    views: tuple[StreamQuery, ...]
    steps: tuple[Step, ...]
    start: int = MINUTE
    """The instant of the first builds, epoch milliseconds."""
    skips: Mapping[str, str] = field(default_factory=dict)
    """Ring → why it cannot run the scenario."""
