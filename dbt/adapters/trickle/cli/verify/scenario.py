"""What is run and compared: tables, stream tables over them, and steps of changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional

from trickle import Column

MINUTE = 60_000


@dataclass(frozen=True)
class SourceTable:
    """A table and its first rows, each as SQL between parentheses."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class StreamQuery:
    """A stream table: its name and SELECT. It may read tables and the stream tables before it."""

    name: str
    sql: str
    verdict: Optional[str] = None
    """What the engine must say of it (incremental, recompute), when the scenario is about that."""


@dataclass(frozen=True)
class Expectation:
    """What must be true of one stream table after a step, beside being exact.

    Action and strategy are those the engine takes by itself where recomputing is no choice; every other right strategy
    is tried as well.
    """

    view: str
    action: Optional[str] = None
    strategy: Optional[str] = None
    rows: Optional[tuple[str, ...]] = None
    place: str = ""


@dataclass(frozen=True)
class Change:
    """One statement on a source table, and where it is written."""

    sql: str
    place: str = ""


@dataclass(frozen=True)
class Step:
    """Changes made in one interval; afterwards every stream table is refreshed and compared."""

    changes: tuple[Change, ...]
    expectations: tuple[Expectation, ...] = ()
    at: Optional[int] = None
    """The instant of its refreshes, epoch milliseconds; None: a minute after the ones before."""


@dataclass(frozen=True)
class Scenario:
    """One thing to prove."""

    id: str
    why: str
    tables: tuple[SourceTable, ...]
    views: tuple[StreamQuery, ...]
    steps: tuple[Step, ...]
    start: int = MINUTE
    """The instant of the first builds, epoch milliseconds."""
    skips: Mapping[str, str] = field(default_factory=dict)
    """Ring → why it cannot run this."""
