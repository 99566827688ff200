"""The universal method: run the operator itself over its input restricted to the touched keys, before and after.

And what joins need beside it: of a side that groups its rows, only what the other side's few rows can meet.
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
    """K: the keys of every row that came or went."""
    return TouchedKeys(change.delta, keys)


def recompute_affected(op: Op, change: Change, keys: tuple[Named, ...]) -> Op:
    """Δ = −op(R ⋉ K) + op(R′ ⋉ K). Without keys the whole input is the one group."""
    if not keys:
        return UnionAll((Negate(op.rebuild((change.before,))), op.rebuild((change.after,))))
    touched = affected_keys(change, keys)
    before = op.rebuild((Restrict(change.before, touched, keys),))
    after = op.rebuild((Restrict(change.after, touched, keys),))
    return UnionAll((Negate(before), after))


def narrowed(wide: Op, few: Op, condition: Optional[Scalar]) -> Op:
    """`wide` restricted to the keys by which rows of `few` can match it; itself where nothing is saved.

    A plain scan is joined as fast as it is restricted. A grouping is not: it would be computed for every group.
    `push_restrictions` takes the restriction on to where the rows come from.
    """
    if condition is None or all(op.linearity is not Linearity.NONLINEAR for op in walk(wide)):
        return wide
    pairs = _pairs(condition.tree, set(wide.schema.names), set(few.schema.names))
    if not pairs:
        return wide
    names = [f"match_{place + 1}" for place in range(len(pairs))]
    keys = tuple(Named(name, Scalar(own.copy())) for name, (_, own) in zip(names, pairs))
    by = tuple(Named(name, Scalar(other.copy())) for name, (other, _) in zip(names, pairs))
    return Restrict(wide, TouchedKeys(few, keys), by)


def _pairs(tree: exp.Expr, wide: set[str], few: set[str]) -> list[tuple[exp.Expr, exp.Expr]]:
    """The equalities of a condition as (expression over the wide side, expression over the few rows)."""
    found: list[tuple[exp.Expr, exp.Expr]] = []
    for part in conjuncts(tree):
        if not isinstance(part, (exp.EQ, exp.NullSafeEQ)):
            continue
        for one, other in ((part.left, part.right), (part.right, part.left)):
            mine = {node.name for node in one.find_all(exp.Column)}
            theirs = {node.name for node in other.find_all(exp.Column)}
            if mine and theirs and mine <= wide and theirs <= few:
                found.append((one, other))
                break
    return found
