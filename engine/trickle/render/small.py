"""The parts of a plan that are certainly small: broadcast by a join, or read and computed in one task."""

from __future__ import annotations

from collections.abc import Collection
from typing import Optional

from typing_extensions import assert_never

from trickle.operators import (
    Accumulate,
    Aggregate,
    AnyOp,
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
from trickle.render.fan_out import RowEstimates
from trickle.render.reads import Binding

FEW_ROWS = 200_000
"""Rows up to which a change is worth sending to every task."""


def is_small(root: Op, binding: Binding) -> bool:
    """True for a small feed or table, and what is known to have few rows when it is computed from them.

    Whatever is called small is sent to every task, and Spark has no sizes of its own: a change is a table function.
    """
    return id(root) in small_parts(root, binding)


def small_parts(root: Op, binding: Binding) -> frozenset[int]:
    """The operators (by id) that are small."""
    small: set[int] = set()
    rows = RowEstimates(binding.counts)
    for op in walk(root):
        if _is_small(closed(op), small, rows, binding):
            small.add(id(op))
    return frozenset(small)


def _is_small(op: AnyOp, small: Collection[int], rows: RowEstimates, binding: Binding) -> bool:
    """Whether an operator is small, of whose children the small ones are known."""
    match op:
        case Feed():
            return binding.source(op.source).small
        case Scan():
            return binding.source(op.source).small_table
        case Filter() | Project() | Negate() | Consolidate() | Distinct() | TouchedKeys() | Accumulate():
            return id(op.child) in small
        case Aggregate(child=Restrict(keys=keys)) if id(keys) in small and _are_few(rows.of(op)):
            return True
        case Aggregate() | Window():
            return id(op.child) in small
        case Within():
            return id(op.child) in small or _are_few(rows.of(op))
        case Restrict():
            return id(op.child) in small or (id(op.keys) in small and _are_few(rows.of(op)))
        case SemiJoin(anti=False):
            return id(op.left) in small or (id(op.right) in small and _are_few(rows.of(op)))
        case SemiJoin() | MarkJoin():
            return id(op.left) in small
        case Lookup():
            return id(op.keys) in small
        case UnionAll():
            return all(id(branch) in small for branch in op.inputs)
        case Join():
            return _is_small_join(op, small, rows.of(op))
        case OuterJoin() | Explode() | Recursion():
            return False
        case Stored() | StoredRecursion() | Recompute() | Working() | Values() | Empty():
            return False
        case ClockDelta() | TopK():
            return False
        case _:
            assert_never(op)


def _is_small_join(op: Join, small: Collection[int], rows: Optional[float]) -> bool:
    """Whether a small side meets so few rows of the other that all pairs are few."""
    few = op.left if op.left.signed else op.right
    return few.signed and id(few) in small and _are_few(rows)


def _are_few(rows: Optional[float]) -> bool:
    return rows is not None and rows <= FEW_ROWS


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
