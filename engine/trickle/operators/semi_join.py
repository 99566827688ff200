"""SemiJoin: EXISTS, IN and LEFT SEMI JOIN; with `anti`, NOT EXISTS, NOT IN and LEFT ANTI JOIN. Any condition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Optional

from sqlglot import exp

from trickle.operators.affected import narrowed
from trickle.operators.negate import Negate
from trickle.operators.one_row import both_rows, has_exactly_one_row, passed
from trickle.operators.touched_keys import TouchedKeys
from trickle.operators.union_all import UnionAll
from trickle.plan.change import Change
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import Schema
from trickle.sql.block import Block
from trickle.sql.build import integer


@dataclass(frozen=True, eq=False)
class SemiJoin(Op):
    """The rows of `left` that some row of `right` matches (anti: that none matches), each as often as it was.

    Δ(L ⋉ R) = ΔL ⋉ R′ − A ⋉ R + A ⋉ R′,  A = L ⋉ ΔR: the old left rows that a changed right row matches.
    Where R is always one row, such as an average, A is what lies between the old row and the new one.
    """

    left: Op
    right: Op
    condition: Optional[Scalar]
    anti: bool
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR
    reads_closed: ClassVar[bool] = True

    @property
    def schema(self) -> Schema:
        return self.left.schema

    @property
    def signed(self) -> bool:
        return self.left.signed

    def scalars(self) -> tuple[Scalar, ...]:
        return () if self.condition is None else (self.condition,)

    def delta(self, changes: tuple[Change, ...]) -> Op:
        if has_exactly_one_row(self.right):
            return self._passed(*changes)
        return judged_again(self, self.condition, *changes)

    def _passed(self, left: Change, row: Change) -> Op:
        """Δ(L ⋉ c) = ΔL ⋉ c′ − {l ∈ L: c only} + {l ∈ L: c′ only}: of a row that moves, only what it passes."""
        pair, moved = both_rows(row)
        both = SemiJoin(pair, moved, None, anti=False)
        conditions = passed(self.condition, self.right)
        lost, found = (SemiJoin(left.before, both, one, anti=False) for one in conditions)
        if self.anti:
            lost, found = found, lost
        return UnionAll((self.rebuild((left.delta, row.after)), Negate(lost), found))

    def block(self, inputs: tuple[Block, ...]) -> Block:
        left, right = inputs
        both = left.projected({**left.outputs, **right.outputs})
        matches = exp.true() if self.condition is None else both.define(self.condition.tree)
        # The side that is kept cannot be the one that is broadcast.
        kept = replace(left, hints=())
        return kept.joined(right, "LEFT ANTI" if self.anti else "LEFT SEMI", matches, left.outputs)


def judged_again(op: Op, condition: Optional[Scalar], left: Change, right: Change) -> Op:
    """The change of a join that says of each left row whether it has a match, in whatever way it says so."""
    old = concerned(left.before, right.delta, condition)
    return UnionAll(
        (
            op.rebuild((left.delta, narrowed(right.after, left.delta, condition))),
            Negate(op.rebuild((old, narrowed(right.before, old, condition)))),
            op.rebuild((old, narrowed(right.after, old, condition))),
        )
    )


def concerned(left: Op, right_delta: Op, condition: Optional[Scalar]) -> Op:
    """L ⋉ ΔR, whatever the weights in ΔR: a superset is enough, because what did not change cancels."""
    names = [name for name in right_delta.schema.names if condition is not None and name in condition.columns]
    keys = tuple(Named(name, column_scalar(name)) for name in names) or (Named("any_row", Scalar(integer(1))),)
    touched = TouchedKeys(right_delta, keys)
    return SemiJoin(narrowed(left, touched, condition), touched, condition, anti=False)
