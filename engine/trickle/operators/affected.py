"""Affected keys: the delta rule of any operator that works per key, by recomputing the touched keys.

Also the restriction of a join's expensive side to the keys of the other side's few rows.
"""

from __future__ import annotations

from typing import Optional

from trickle.operators.negate import Negate
from trickle.operators.restrict import Restrict
from trickle.operators.touched_keys import TouchedKeys
from trickle.operators.union_all import UnionAll
from trickle.plan.change import Change
from trickle.plan.equalities import equalities
from trickle.plan.op import Linearity, Op, walk
from trickle.plan.scalar import Named, Scalar


def affected_keys(change: Change, keys: tuple[Named, ...]) -> TouchedKeys:
    """K: the keys of every added or removed row."""
    return TouchedKeys(change.delta, keys)


def recompute_affected(op: Op, change: Change, keys: tuple[Named, ...]) -> Op:
    """Δ = −op(R ⋉ K) + op(R′ ⋉ K). Without keys the whole input is one group."""
    if not keys:
        return UnionAll((Negate(op.rebuild((change.before,))), op.rebuild((change.after,))))
    touched = affected_keys(change, keys)
    before = op.rebuild((Restrict(change.before, touched, keys),))
    after = op.rebuild((Restrict(change.after, touched, keys),))
    return UnionAll((Negate(before), after))


def restricted_to_matches(wide: Op, few: Op, condition: Optional[Scalar]) -> Op:
    """The side of a join restricted to the keys by which rows of `few` can match it; itself where that saves nothing.

    Tables that are joined begin at their change anyway (`join_outward`). A grouping would be computed for every group.
    """
    return restricted(wide, few, condition) if any(op.linearity is Linearity.NONLINEAR for op in walk(wide)) else wide


def restricted(wide: Op, few: Op, condition: Optional[Scalar]) -> Op:
    """`wide` restricted to the keys by which rows of `few` can match it; itself where it is a single table.

    Looking a table up costs as much as restricting it. A join would be computed for every row, a grouping for every
    group. `push_restrictions` moves the restriction on towards the leaves.
    """
    single = all(len(op.children) < 2 and op.linearity is not Linearity.NONLINEAR for op in walk(wide))
    return wide if single else matching(wide, few, condition)


def matching(wide: Op, few: Op, condition: Optional[Scalar]) -> Op:
    """`wide` restricted to the keys by which rows of `few` can match it, whatever it is.

    For the side of a semijoin that is only looked into: Spark cannot send the other side to it, and would move it all.
    """
    if condition is None:
        return wide
    pairs = equalities(condition.parts, few.schema, wide.schema)
    if not pairs:
        return wide
    names = [f"match_{index + 1}" for index in range(len(pairs))]
    keys = tuple(Named(name, Scalar(pair.mine.tree_copy())) for name, pair in zip(names, pairs))
    by = tuple(Named(name, Scalar(pair.other.tree_copy())) for name, pair in zip(names, pairs))
    return Restrict(wide, TouchedKeys(few, keys), by)
