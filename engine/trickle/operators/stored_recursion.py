"""StoredRecursion: the rows of a recursion in the storage. Only refreshes contain it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trickle.plan.op import Linearity, Op
from trickle.plan.schema import Schema


@dataclass(frozen=True, eq=False)
class StoredRecursion(Op):
    """The rows of a stored relation inside the view before this refresh, with duplicates."""

    name: str
    """The name of the stored relation."""
    columns: Schema
    linearity: ClassVar[Linearity] = Linearity.LEAF

    @property
    def schema(self) -> Schema:
        return self.columns

    @property
    def signed(self) -> bool:
        return False
