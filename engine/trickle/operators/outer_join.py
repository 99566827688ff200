"""OuterJoin: LEFT and FULL OUTER JOIN on any condition. RIGHT is LEFT with its sides exchanged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Optional

from sqlglot import exp

from trickle.operators.affected import restricted
from trickle.operators.gains import only_gains
from trickle.operators.join import Join
from trickle.operators.negate import Negate
from trickle.operators.project import Project
from trickle.operators.semi_join import SemiJoin, matched_by_change
from trickle.operators.union_all import UnionAll
from trickle.plan.change import Change
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import Column, Schema
from trickle.sql.block import Block
from trickle.sql.build import null_of


@dataclass(frozen=True, eq=False)
class OuterJoin(Op):
    """SELECT * FROM left LEFT (or FULL) OUTER JOIN right ON condition.

    Δ(L ⟕ R) = ΔL ⟕ R′ + L ⋈ ΔR + pad(A ▷ R′) − pad(A ▷ R),  A = L ⋉ ΔR
    FULL adds the unmatched right rows: pad(Δ(R ▷ L)).

    A changed right row changes its own pairs; only whether a left row has any match is determined again. Where R only
    gains rows, it has one.
    """

    left: Op
    right: Op
    condition: Optional[Scalar]
    full: bool
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR
    reads_closed: ClassVar[bool] = True

    @cached_property
    def schema(self) -> Schema:
        return self.left.schema + self.right.schema

    def scalars(self) -> tuple[Scalar, ...]:
        return () if self.condition is None else (self.condition,)

    def delta(self, changes: tuple[Change, ...]) -> Op:
        left, right = changes
        old = matched_by_change(left.before, right.delta, self.condition)
        rights = restricted(right.after, left.delta, self.condition)
        before, after = (restricted(side, old, self.condition) for side in (right.before, right.after))
        lost = () if only_gains(right.delta) else (self.padded(SemiJoin(old, after, self.condition, anti=True)),)
        terms = (
            OuterJoin(left.delta, rights, self.condition, full=False),
            Join(restricted(left.before, right.delta, self.condition), right.delta, self.condition),
            *lost,
            Negate(self.padded(SemiJoin(old, before, self.condition, anti=True))),
        )
        if not self.full:
            return UnionAll(terms)
        unmatched = SemiJoin(right.after, left.after, self.condition, anti=True)
        return UnionAll((*terms, self.padded(unmatched.delta((right, left)))))

    def padded(self, side: Op) -> Op:
        """The rows of one side, padded with NULLs for the other."""
        own = side.schema
        return Project(side, tuple(_item(column, column.name in own) for column in self.schema))

    def block(self, inputs: tuple[Block, ...]) -> Block:
        left, right = inputs
        outputs = {**left.outputs, **right.outputs}
        matches = exp.true() if self.condition is None else left.projected(outputs).define(self.condition.tree)
        # Spark cannot broadcast a preserved side.
        preserved = replace(left, hints=())
        other = replace(right, hints=()) if self.full else right
        return preserved.joined(other, "FULL" if self.full else "LEFT", matches, outputs)


def _item(column: Column, present: bool) -> Named:
    if present:
        return Named(column.name, column_scalar(column.name))
    return Named(column.name, Scalar(null_of(column.type)))
