"""Values: constant rows of the query (VALUES, or SELECT without FROM). They never change."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import Column, Schema


@dataclass(frozen=True, eq=False)
class Values(Op):
    """VALUES (…), (…): constant rows, each a tuple of constant expressions. Δ = ∅."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    linearity: ClassVar[Linearity] = Linearity.LEAF

    @cached_property
    def schema(self) -> Schema:
        return Schema(self.columns)

    @property
    def signed(self) -> bool:
        return False

    def scalars(self) -> tuple[Scalar, ...]:
        return tuple(value for row in self.rows for value in row)
