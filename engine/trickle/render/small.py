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
from trickle.render.fan_out import rows_of
from trickle.render.reads import Binding

FEW_ROWS = 200_000
"""Rows up to which a change is worth sending to every task."""


def is_small(root: Op, binding: Binding) -> bool:
    """True for a small feed or table, and what is known to have few rows when it is computed from them.

    Whatever is called small is sent to every task, and Spark has no sizes of its own: a change is a table function.
    """
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
        case Scan():
            return binding.source(op.source).small_table
        case Within():
            return is_small(op.child, binding)
        case Join():
            return is_small_join(op, binding)
        case OuterJoin() | Explode() | Recursion():
            return False
        case Stored() | StoredRecursion() | Recompute() | Working() | Values() | Empty():
            return False
        case ClockDelta() | TopK():
            return False
        case _:
            assert_never(op)


def is_small_join(op: Join, binding: Binding) -> bool:
    """Whether a small side meets so few rows of the other that all pairs are few."""
    few = op.left if op.left.signed else op.right
    rows = rows_of(op, binding.counts)
    return few.signed and is_small(few, binding) and rows is not None and rows <= FEW_ROWS


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
