"""RowCounts: how many rows the sources of a plan have, as far as that is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class RowCounts:
    """Rows by source: all of them, and those that came and went."""

    tables: Mapping[str, int] = field(default_factory=dict)
    changed: Mapping[str, int] = field(default_factory=dict)
