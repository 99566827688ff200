"""push_restrictions: a restriction to some keys travels down to the scans, so that nothing else is computed."""

from __future__ import annotations

from dataclasses import replace

from trickle.operators import (
    Accumulate,
    Aggregate,
    ClockDelta,
    Distinct,
    Explode,
    Filter,
    Join,
    MarkJoin,
    OuterJoin,
    Project,
    Restrict,
    SemiJoin,
    UnionAll,
    Window,
)
from trickle.plan.op import Op, rewrite_bottom_up
from trickle.plan.scalar import Named

Keys = tuple[Named, ...]


def push_restrictions(root: Op) -> Op:
    """γ(R) ⋉ K  →  γ(R ⋉ K) where K is about the grouping's keys; likewise wherever an operator lets keys through."""
    return rewrite_bottom_up(root, lambda op: _sunk(op.child, op.keys, op.by) if isinstance(op, Restrict) else op)


def _sunk(op: Op, keys: Op, by: Keys) -> Op:
    """`op` restricted as far down as the columns of `by` can be followed."""
    named = frozenset(name for key in by for name in key.value.columns)
    match op:
        case Filter() | Distinct() | ClockDelta():
            return op.rebuild((_sunk(op.child, keys, by),))
        case Project():
            return op.rebuild((_sunk(op.child, keys, _over(by, op.items)),))
        case Aggregate() if op.keys and named <= {key.name for key in op.keys}:
            return op.rebuild((_sunk(op.child, keys, _over(by, op.keys)),))
        case Accumulate() if op.keys and named <= {key.name for key in op.keys}:
            return op.rebuild((_sunk(op.child, keys, _over(by, op.keys)),))
        case Window() if {key.value for key in by} <= {part.value for part in op.partition}:
            return op.rebuild((_sunk(op.child, keys, by),))
        case UnionAll():
            return op.rebuild([_sunk(branch, keys, by) for branch in op.inputs])
        case Explode() if named <= set(op.child.schema.names):
            return op.rebuild((_sunk(op.child, keys, by),))
        case Join() if named <= set(op.right.schema.names):
            return op.rebuild((op.left, _sunk(op.right, keys, by)))
        case Join() | SemiJoin() | MarkJoin() if named <= set(op.left.schema.names):
            return op.rebuild((_sunk(op.left, keys, by), op.right))
        case OuterJoin(full=False) if named <= set(op.left.schema.names):
            return op.rebuild((_sunk(op.left, keys, by), op.right))
        case Restrict():
            return replace(op, child=_sunk(op.child, keys, by))
        case _:
            return Restrict(op, keys, by)


def _over(by: Keys, items: Keys) -> Keys:
    values = {item.name: item.value for item in items}
    return tuple(Named(key.name, key.value.over(values)) for key in by)
