"""The parts of a plan that are certainly small: broadcast by a join, or read and computed in one task."""

from __future__ import annotations

from typing_extensions import assert_never

from trickle.operators import (
    Accumulate,
    Aggregate,
    ClockDelta,
    Consolidate,
    Distinct,
    Empty,
    Explode,
    Feed,
    Filter,
    Join,
    Lookup,
    MarkJoin,
    Negate,
    OuterJoin,
    Project,
    Recompute,
    Recursion,
    Restrict,
    Scan,
    SemiJoin,
    Stored,
    StoredRecursion,
    TopK,
    TouchedKeys,
    UnionAll,
    Values,
    Window,
    Within,
    Working,
    closed,
    closed_leaf,
)
from trickle.plan.op import Op, walk
from trickle.render.reads import Binding


def is_small(root: Op, binding: Binding) -> bool:
    """True for a small feed and operators over it that cannot add rows. A join can: Spark decides about its size."""
    op = closed(root)
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
        case Join() | OuterJoin() | Explode() | Recursion():
            return False
        case Scan() | Stored() | StoredRecursion() | Recompute() | Working() | Values() | Empty():
            return False
        case ClockDelta() | TopK() | Within():
            return False
        case _:
            assert_never(op)


def in_one_task(root: Op, binding: Binding) -> frozenset[int]:
    """The operators (by id) whose leaves all fit one task: computed in one task, they need no shuffle."""
    fitting: set[int] = set()
    for op in walk(root):
        fits = all(id(child) in fitting for child in op.children) if op.children else _leaf_fits(op, binding)
        if fits:
            fitting.add(id(op))
    return frozenset(fitting)


def _leaf_fits(op: Op, binding: Binding) -> bool:
    leaf = closed_leaf(op)
    match leaf:
        case Feed():
            return binding.source(leaf.source).feed_in_one_task
        case Scan():
            return binding.source(leaf.source).table_in_one_task
        case Stored() | StoredRecursion():
            return binding.stored_in_one_task
        case Values() | Empty():
            return True
        case Recompute() | Working():
            return False
        case _:
            assert_never(leaf)
