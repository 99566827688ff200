"""Which parts of a plan are surely no bigger than a small change feed, so that they may be broadcast."""

from __future__ import annotations

from trickle.operators import (
    Accumulate,
    Aggregate,
    Consolidate,
    Distinct,
    Feed,
    Filter,
    Lookup,
    MarkJoin,
    Negate,
    Project,
    Restrict,
    SemiJoin,
    TouchedKeys,
    UnionAll,
    Window,
)
from trickle.plan.op import Op
from trickle.render.reads import Binding


def is_small(op: Op, binding: Binding) -> bool:
    """True for a small feed and whatever cannot make more rows of it. A join can: its size is left to Spark."""
    match op:
        case Feed():
            return binding.source(op.source).small
        case Filter() | Project() | Negate() | Consolidate() | Distinct() | TouchedKeys() | Accumulate():
            return is_small(op.child, binding)
        case Aggregate() | Restrict() | Window():
            return is_small(op.child, binding)
        case SemiJoin() | MarkJoin():
            return is_small(op.left, binding)
        case Lookup():
            return is_small(op.keys, binding)
        case UnionAll():
            return all(is_small(branch, binding) for branch in op.inputs)
        case _:
            return False
