"""Negate: every weight with the opposite sign. Only deltas contain it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from trickle.plan.op import Linearity, Op
from trickle.plan.schema import Schema
from trickle.sql.block import Block
from trickle.sql.build import integer, negative


@dataclass(frozen=True, eq=False)
class Negate(Op):
    """−R: R with negated weights.   Δ(−R) = −ΔR"""

    child: Op
    linearity: ClassVar[Linearity] = Linearity.LINEAR

    @property
    def schema(self) -> Schema:
        return self.child.schema

    @property
    def signed(self) -> bool:
        return True

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        weight = integer(-1) if child.weight is None else negative(child.weight.copy())
        return replace(child, weight=weight)
