"""Join: inner, cross and theta joins, n-way by nesting. NULL keys match nothing, as the condition is not TRUE."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Optional

from trickle.operators.affected import restricted_to_matches
from trickle.operators.union_all import UnionAll
from trickle.plan.change import Change
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import Schema
from trickle.sql.block import Block


@dataclass(frozen=True, eq=False)
class Join(Op):
    """SELECT * FROM left JOIN right ON condition (None: CROSS JOIN).

    Δ(L ⋈ R) = ΔL ⋈ R′ + L ⋈ ΔR   (one side after, the other before, or ΔL ⋈ ΔR counts twice)
    """

    left: Op
    right: Op
    condition: Optional[Scalar]
    linearity: ClassVar[Linearity] = Linearity.BILINEAR

    @cached_property
    def schema(self) -> Schema:
        return self.left.schema + self.right.schema

    def scalars(self) -> tuple[Scalar, ...]:
        return () if self.condition is None else (self.condition,)

    def delta(self, changes: tuple[Change, ...]) -> Op:
        left, right = changes
        rights = restricted_to_matches(right.after, left.delta, self.condition)
        lefts = restricted_to_matches(left.before, right.delta, self.condition)
        return UnionAll((self.rebuild((left.delta, rights)), self.rebuild((lefts, right.delta))))

    def block(self, inputs: tuple[Block, ...]) -> Block:
        left, right = inputs
        outputs = {**left.outputs, **right.outputs}
        if self.condition is None:
            return left.joined(right, "CROSS", None, outputs)
        both = left.projected(outputs)
        return left.joined(right, "", both.define(self.condition.tree), outputs)
