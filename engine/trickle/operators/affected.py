"""Affected keys: the delta rule of any operator that works per key, by recomputing the touched keys.

Also the restriction of a join's expensive side to the keys of the other side's few rows.
"""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.operators.negate import Negate
from trickle.operators.restrict import Restrict
from trickle.operators.touched_keys import TouchedKeys
from trickle.operators.union_all import UnionAll
from trickle.plan.change import Change
from trickle.plan.op import Linearity, Op, walk
from trickle.plan.scalar import Named, Scalar
from trickle.sql.build import conjuncts


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
    if condition is None or all(len(op.children) < 2 and op.linearity is not Linearity.NONLINEAR for op in walk(wide)):
        return wide
    pairs = _pairs(condition.tree, set(wide.schema.names), set(few.schema.names))
    if not pairs:
        return wide
    names = [f"match_{index + 1}" for index in range(len(pairs))]
    keys = tuple(Named(name, Scalar(own.copy())) for name, (_, own) in zip(names, pairs))
    by = tuple(Named(name, Scalar(other.copy())) for name, (other, _) in zip(names, pairs))
    return Restrict(wide, TouchedKeys(few, keys), by)


def _pairs(tree: exp.Expr, wide: set[str], few: set[str]) -> list[tuple[exp.Expr, exp.Expr]]:
    """The equalities of a condition as (expression over the wide side, expression over the few rows)."""
    pairs: list[tuple[exp.Expr, exp.Expr]] = []
    for part in conjuncts(tree):
        if not isinstance(part, (exp.EQ, exp.NullSafeEQ)):
            continue
        for own, opposite in ((part.left, part.right), (part.right, part.left)):
            own_names = {node.name for node in own.find_all(exp.Column)}
            opposite_names = {node.name for node in opposite.find_all(exp.Column)}
            if own_names and opposite_names and own_names <= wide and opposite_names <= few:
                pairs.append((own, opposite))
                break
    return pairs
