"""Distinct: SELECT DISTINCT, and the deduplicating half of UNION. Rows compare null-safely."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from sqlglot import exp

from trickle.operators.affected import recompute_affected
from trickle.plan.change import Change
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Named, column_scalar
from trickle.plan.schema import Schema
from trickle.sql.block import Block, closed_block


@dataclass(frozen=True, eq=False)
class Distinct(Op):
    """SELECT DISTINCT * FROM child.   Δδ(R) = −δ(R ⋉ T) + δ(R′ ⋉ T),  T = the rows of ΔR"""

    child: Op
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR

    @property
    def schema(self) -> Schema:
        return self.child.schema

    @property
    def signed(self) -> bool:
        return False

    def delta(self, changes: tuple[Change, ...]) -> Op:
        (child,) = changes
        keys = tuple(Named(name, column_scalar(name)) for name in self.schema.names)
        return recompute_affected(self, child, keys)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        query = replace(child, weight=None).select("")
        query.set("distinct", exp.Distinct())
        return closed_block(query, self.schema.names, None)
