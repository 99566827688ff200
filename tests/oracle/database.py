"""Database: the tables that the oracle's plans read, at the two moments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tests.oracle.zset import ZSet, zset


@dataclass(frozen=True)
class Source:
    """A table at the two moments."""

    columns: tuple[str, ...]
    before: ZSet
    after: ZSet


@dataclass(frozen=True)
class Database:
    """Everything the leaves of a plan may read."""

    sources: Mapping[str, Source] = field(default_factory=dict)
    stored: ZSet = field(default_factory=lambda: zset(()))
    recomputed: ZSet = field(default_factory=lambda: zset(()))
    kept: Mapping[str, ZSet] = field(default_factory=dict)
    """The relations inside a view that its storage holds."""
    working: Mapping[str, ZSet] = field(default_factory=dict)
    """The round before of each recursion whose step is being evaluated."""
    clock: tuple[int, int] = (0, 0)
    """What the clock said before and what it says now."""

    def as_before(self) -> Database:
        """The same tables, all of them as they were."""
        stopped = {name: Source(one.columns, one.before, one.before) for name, one in self.sources.items()}
        return replace(self, sources=stopped, clock=(self.clock[0], self.clock[0]))
