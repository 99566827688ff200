"""The universal method: run the operator itself over its input restricted to the touched keys, before and after."""

from __future__ import annotations

from trickle.operators.negate import Negate
from trickle.operators.restrict import Restrict
from trickle.operators.touched_keys import TouchedKeys
from trickle.operators.union_all import UnionAll
from trickle.plan.change import Change
from trickle.plan.op import Op
from trickle.plan.scalar import Named


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
