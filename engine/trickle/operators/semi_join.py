"""SemiJoin: EXISTS, IN and LEFT SEMI JOIN; with `anti`, NOT EXISTS, NOT IN and LEFT ANTI JOIN. Any condition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Optional

from sqlglot import exp

from trickle.operators.affected import matching, restricted
from trickle.operators.gains import only_gains
from trickle.operators.negate import Negate
from trickle.operators.one_row import before_and_after, changed_matches, has_exactly_one_row
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
    """The rows of `left` that some row of `right` matches (anti: that none matches), with their weights.

    Δ(L ⋉ R) = ΔL ⋉ R′ − A ⋉ R + A ⋉ R′,  A = L ⋉ ΔR: the previous left rows that a changed right row matches.
    Where R only gains rows, each row of A has a match in R′. Where R is always one row, such as an average, A is the
    rows whose comparison with it changes.
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
            return self._delta_of_one_row(*changes)
        left, right = changes
        if only_gains(right.delta):
            return self._delta_of_gains(left, right)
        return rematch_delta(self, self.condition, left, right)

    def _delta_of_gains(self, left: Change, right: Change) -> Op:
        """Δ(L ⋉ R) = ΔL ⋉ R′ + A ▷ R;  Δ(L ▷ R) = ΔL ▷ R′ − A ▷ R: only rows that had no match before change."""
        new = self.rebuild((left.delta, matching(right.after, left.delta, self.condition)))
        met = matched_by_change(left.before, right.delta, self.condition)
        first = SemiJoin(met, matching(right.before, met, self.condition), self.condition, anti=True)
        return UnionAll((new, Negate(first) if self.anti else first))

    def _delta_of_one_row(self, left: Change, row: Change) -> Op:
        """Δ(L ⋉ c) = ΔL ⋉ c′ − {l ∈ L: c(l) ∧ ¬c′(l)} + {l ∈ L: c′(l) ∧ ¬c(l)}, for a right side of one row c."""
        pair, changed = before_and_after(row)
        both = SemiJoin(pair, changed, None, anti=False)
        conditions = changed_matches(self.condition, self.right)
        lost, gained = (SemiJoin(left.before, both, condition, anti=False) for condition in conditions)
        if self.anti:
            lost, gained = gained, lost
        return UnionAll((self.rebuild((left.delta, row.after)), Negate(lost), gained))

    def block(self, inputs: tuple[Block, ...]) -> Block:
        left, right = inputs
        both = left.projected({**left.outputs, **right.outputs})
        matches = exp.true() if self.condition is None else both.define(self.condition.tree)
        # Spark cannot broadcast the left side of a semijoin.
        preserved = replace(left, hints=())
        return preserved.joined(right, "LEFT ANTI" if self.anti else "LEFT SEMI", matches, left.outputs)


def rematch_delta(op: Op, condition: Optional[Scalar], left: Change, right: Change) -> Op:
    """The delta of a semijoin, antijoin or mark join: each affected left row is matched again."""
    old = matched_by_change(left.before, right.delta, condition)
    return UnionAll(
        (
            op.rebuild((left.delta, matching(right.after, left.delta, condition))),
            Negate(op.rebuild((old, matching(right.before, old, condition)))),
            op.rebuild((old, matching(right.after, old, condition))),
        )
    )


def matched_by_change(left: Op, right_delta: Op, condition: Optional[Scalar]) -> Op:
    """L ⋉ ΔR, ignoring the weights in ΔR: a superset is enough, because unchanged rows cancel."""
    names = [name for name in right_delta.schema.names if condition is not None and name in condition.columns]
    keys = tuple(Named(name, column_scalar(name)) for name in names) or (Named("any_row", Scalar(integer(1))),)
    touched = TouchedKeys(right_delta, keys)
    return SemiJoin(restricted(left, touched, condition), touched, condition, anti=False)
