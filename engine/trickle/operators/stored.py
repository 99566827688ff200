"""Stored: the rows of a view's storage table, weighted by their count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trickle.plan.op import Linearity, Op
from trickle.plan.schema import Schema


@dataclass(frozen=True, eq=False)
class Stored(Op):
    """The view's own rows before this refresh; weight = stored count."""

    columns: Schema
    linearity: ClassVar[Linearity] = Linearity.LEAF

    @property
    def schema(self) -> Schema:
        return self.columns

    @property
    def signed(self) -> bool:
        return True
