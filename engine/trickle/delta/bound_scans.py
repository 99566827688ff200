"""bound_scans: known ranges of changed keys become literal conditions on the tables they are looked up in.

A semi-join with the changed keys reads every file of a table; Delta leaves out files for literals only.
"""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import assert_never

from trickle.delta.column_ranges import ColumnRanges, comparable, comparable_columns
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
)
from trickle.plan.op import Op, walk
from trickle.plan.ranges import ColumnStatistics, Ranges
from trickle.plan.scalar import Named

Needed = Mapping[str, Ranges]
"""Column → its ranges in all rows a reader needs. Of a column left out nothing is known."""

WORTH = 0.75
"""A condition is only written when it leaves out a quarter of the table: its text is compiled anew each time."""


def bound_scans(root: Op, statistics: Mapping[str, ColumnStatistics]) -> Op:
    """R ⋉ K  →  σ[low ≤ key ≤ high](R) ⋉ K at the scans, where [low, high] holds every key of K.

    From the top down: a shared part gives what any of its readers needs, so that it stays shared.
    """
    if not any(known.changed for known in statistics.values()) or not any(known.files for known in statistics.values()):
        return root
    values = ColumnRanges(statistics)
    order = walk(root)
    needed: dict[int, Needed] = {id(root): {}}
    edges: dict[tuple[int, int], Needed] = {}
    for op in reversed(order):
        for index, child in enumerate(op.children):
            of_child = _of_child(closed(op), index, needed[id(op)], values)
            edges[id(op), index] = of_child
            needed[id(child)] = _either(needed[id(child)], of_child) if id(child) in needed else of_child
    done: dict[int, Op] = {}
    for op in order:
        children = [
            _bounded(child, edges[id(op), index], statistics) if isinstance(child, Scan) else done[id(child)]
            for index, child in enumerate(op.children)
        ]
        done[id(op)] = op.rebuild(children)
    return done[id(root)]


def _bounded(scan: Scan, needed: Needed, statistics: Mapping[str, ColumnStatistics]) -> Op:
    """The scan with a literal condition for each column that leaves out files."""
    bounded: Op = scan
    sources = {read.name: read.source for read in scan.columns}
    for name, wanted in sorted(needed.items()):
        share = statistics[scan.source].share(sources[name], wanted) if scan.source in statistics else 1.0
        if share <= WORTH:
            bounded = Within(bounded, name, wanted, share)
    return bounded


def _of_child(op: AnyOp, index: int, needed: Needed, values: ColumnRanges) -> Needed:
    """The rows of a child that the operator needs for the needed rows of its own."""
    child = op.children[index]
    match op:
        case Filter() | Negate() | Consolidate() | Distinct() | Explode() | UnionAll() | Within():
            return _known(needed, child)
        case Project():
            return _over(needed, op.items)
        case Aggregate():
            return _over(needed, op.keys)
        case Window():
            partition = {part.value.column_name for part in op.partition}
            return {name: ranges for name, ranges in needed.items() if name in partition}
        case Restrict():
            return _both(needed, _of_keys(op, values)) if index == 0 else {}
        case Join():
            return _both(_known(needed, child), _of_other_side(op, index, needed, values))
        case SemiJoin() if index == 0:
            own = _known(needed, child)
            return own if op.anti else _both(own, _of_other_side(op, index, needed, values))
        case MarkJoin() if index == 0:
            return _known(needed, child)
        case OuterJoin() if index == 0:
            return {} if op.full else _known(needed, child)
        case OuterJoin(full=True):
            return {}
        case SemiJoin() | MarkJoin() | OuterJoin():
            return _of_other_side(op, index, needed, values)
        case Accumulate() | ClockDelta() | Lookup() | Recursion() | TopK() | TouchedKeys():
            return {}
        case Empty() | Feed() | Recompute() | Scan() | Stored() | StoredRecursion() | Values() | Working():
            return {}
        case _:
            assert_never(op)


def _of_keys(op: Restrict, values: ColumnRanges) -> Needed:
    ranges: dict[str, Ranges] = {}
    for key in op.by:
        name = key.value.column_name
        if name is not None and comparable(op.child.schema, name, op.keys.schema, key.name):
            lies = values.of(op.keys, key.name)
            if lies is not None:
                ranges[name] = lies
    return ranges


def _of_other_side(
    op: Join | SemiJoin | MarkJoin | OuterJoin, index: int, needed: Needed, values: ColumnRanges
) -> Needed:
    """A row outside of the other side's ranges, or of those needed of it, makes no pair that is needed."""
    mine, other = (op.left, op.right) if index == 0 else (op.right, op.left)
    ranges: Needed = {}
    for pair in comparable_columns(op.condition, mine, other):
        for lies in (values.of(other, pair.other), needed.get(pair.other)):
            if lies is not None:
                ranges = _both(ranges, {pair.mine: lies if pair.null_safe else lies.without_null})
    return ranges


def _known(needed: Needed, child: Op) -> Needed:
    return {name: ranges for name, ranges in needed.items() if name in child.schema}


def _over(needed: Needed, items: tuple[Named, ...]) -> Needed:
    """The needed ranges of projected columns, as ranges of the columns they are."""
    ranges: Needed = {}
    for item in items:
        name = item.value.column_name
        if item.name in needed and name is not None:
            ranges = _both(ranges, {name: needed[item.name]})
    return ranges


def _both(left: Needed, right: Needed) -> Needed:
    return {**left, **{name: left[name] & wanted if name in left else wanted for name, wanted in right.items()}}


def _either(left: Needed, right: Needed) -> Needed:
    return {name: left[name] | right[name] for name in left if name in right}
