"""Filter: WHERE, HAVING over an aggregate. Rows whose condition is UNKNOWN are dropped, as everywhere in SQL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import Schema
from trickle.sql.block import Block


@dataclass(frozen=True, eq=False)
class Filter(Op):
    """SELECT * FROM child WHERE condition.   Δσ(R) = σ(ΔR)"""

    child: Op
    condition: Scalar
    linearity: ClassVar[Linearity] = Linearity.LINEAR

    @property
    def schema(self) -> Schema:
        return self.child.schema

    def scalars(self) -> tuple[Scalar, ...]:
        return (self.condition,)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        return child.filtered(child.define(self.condition.tree))
