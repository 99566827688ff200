"""bound_scans: what the logs tell of changed keys becomes literal conditions on the tables they are looked up in.

A semi-join with the changed keys reads every file of a table; Delta leaves out files for literals only.
"""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import assert_never

from trickle.delta.column_ranges import ColumnRanges, comparable, equalities
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

Asked = Mapping[str, Ranges]
"""Column → where it lies in all the rows a reader needs. Of a column left out nothing is known."""

WORTH = 0.75
"""A condition is only written when it leaves out a quarter of the table: its text is compiled anew each time."""


def bound_scans(root: Op, statistics: Mapping[str, ColumnStatistics]) -> Op:
    """R ⋉ K  →  σ[low ≤ key ≤ high](R) ⋉ K at the scans, where [low, high] holds every key of K.

    From the top down: a shared part is asked for what any of its readers needs, so that it stays shared.
    """
    if not any(one.changed for one in statistics.values()) or not any(one.files for one in statistics.values()):
        return root
    values = ColumnRanges(statistics)
    order = walk(root)
    asked: dict[int, Asked] = {id(root): {}}
    edges: dict[tuple[int, int], Asked] = {}
    for op in reversed(order):
        for place, child in enumerate(op.children):
            needed = _of_child(closed(op), place, asked[id(op)], values)
            edges[id(op), place] = needed
            asked[id(child)] = _either(asked[id(child)], needed) if id(child) in asked else needed
    done: dict[int, Op] = {}
    for op in order:
        children = [
            _bounded(child, edges[id(op), place], statistics) if isinstance(child, Scan) else done[id(child)]
            for place, child in enumerate(op.children)
        ]
        done[id(op)] = op.rebuild(children)
    return done[id(root)]


def _bounded(scan: Scan, asked: Asked, statistics: Mapping[str, ColumnStatistics]) -> Op:
    """The scan with a literal condition for each column that leaves out files."""
    bounded: Op = scan
    sources = {one.name: one.source for one in scan.columns}
    for name, wanted in sorted(asked.items()):
        share = statistics[scan.source].share(sources[name], wanted) if scan.source in statistics else 1.0
        if share <= WORTH:
            bounded = Within(bounded, name, wanted, share)
    return bounded


def _of_child(op: AnyOp, place: int, asked: Asked, values: ColumnRanges) -> Asked:
    """What of a child's rows the operator needs, when only the asked-for rows of its own are needed."""
    child = op.children[place]
    match op:
        case Filter() | Negate() | Consolidate() | Distinct() | Explode() | UnionAll() | Within():
            return _known(asked, child)
        case Project():
            return _over(asked, op.items)
        case Aggregate():
            return _over(asked, op.keys)
        case Window():
            partition = {part.value.column_name for part in op.partition}
            return {name: one for name, one in asked.items() if name in partition}
        case Restrict():
            return _both(asked, _of_keys(op, values)) if place == 0 else {}
        case Join():
            return _both(_known(asked, child), _of_other_side(op, place, asked, values))
        case SemiJoin() if place == 0:
            kept = _known(asked, child)
            return kept if op.anti else _both(kept, _of_other_side(op, place, asked, values))
        case MarkJoin() if place == 0:
            return _known(asked, child)
        case OuterJoin() if place == 0:
            return {} if op.full else _known(asked, child)
        case OuterJoin(full=True):
            return {}
        case SemiJoin() | MarkJoin() | OuterJoin():
            return _of_other_side(op, place, asked, values)
        case Accumulate() | ClockDelta() | Lookup() | Recursion() | TopK() | TouchedKeys():
            return {}
        case Empty() | Feed() | Recompute() | Scan() | Stored() | StoredRecursion() | Values() | Working():
            return {}
        case _:
            assert_never(op)


def _of_keys(op: Restrict, values: ColumnRanges) -> Asked:
    found: dict[str, Ranges] = {}
    for key in op.by:
        name = key.value.column_name
        if name is not None and comparable(op.child.schema, name, op.keys.schema, key.name):
            lies = values.of(op.keys, key.name)
            if lies is not None:
                found[name] = lies
    return found


def _of_other_side(op: Join | SemiJoin | MarkJoin | OuterJoin, place: int, asked: Asked, values: ColumnRanges) -> Asked:
    """A row of this side outside of what the other side holds, or is asked for, makes no pair that is needed."""
    mine, other = (op.left, op.right) if place == 0 else (op.right, op.left)
    found: Asked = {}
    for pair in equalities(op.condition, mine, other):
        for lies in (values.of(other, pair.other), asked.get(pair.other)):
            if lies is not None:
                found = _both(found, {pair.mine: lies if pair.null_safe else lies.without_null})
    return found


def _known(asked: Asked, child: Op) -> Asked:
    return {name: one for name, one in asked.items() if name in child.schema}


def _over(asked: Asked, items: tuple[Named, ...]) -> Asked:
    """What is asked of computed columns, asked of the columns they are."""
    found: Asked = {}
    for item in items:
        name = item.value.column_name
        if item.name in asked and name is not None:
            found = _both(found, {name: asked[item.name]})
    return found


def _both(one: Asked, other: Asked) -> Asked:
    return {**one, **{name: one[name] & wanted if name in one else wanted for name, wanted in other.items()}}


def _either(one: Asked, other: Asked) -> Asked:
    return {name: one[name] | other[name] for name in one if name in other}
