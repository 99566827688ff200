"""StoredRecursion: the rows of a recursion as the storage holds them. Only refreshes contain it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trickle.plan.op import Linearity, Op
from trickle.plan.schema import Schema


@dataclass(frozen=True, eq=False)
class StoredRecursion(Op):
    """The rows of a relation inside the view, as they stand before this refresh, each as often as it occurs."""

    name: str
    """Which of the relations that the storage keeps."""
    columns: Schema
    linearity: ClassVar[Linearity] = Linearity.LEAF

    @property
    def schema(self) -> Schema:
        return self.columns

    @property
    def signed(self) -> bool:
        return False
