"""Which columns of a source a model reads: only these count when the source is altered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class ReadColumns:
    """Some columns by their names in lower case, or all of them, those still to come included."""

    names: Optional[frozenset[str]] = None
    by_position: bool = True
    """Whether their order counts, as it does for SELECT * and for t(a, b)."""

    def reads(self, name: str) -> bool:
        return self.names is None or name.lower() in self.names


EVERY_COLUMN = ReadColumns()
