"""table_reads: which rows of each table the plan of a change reads, beside the changes themselves.

Two questions are asked of a plan. Bottom-up: is a relation narrow, a change or what a change touches? Then top-down:
which rows of a relation do those above it ask for? A join asks its wide side for the rows its narrow side meets; a
grouping, a window or a limit asks for everything below it that is not restricted there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Optional

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
)
from trickle.plan.op import Op, walk
from trickle.plan.read_class import ReadClass, least
from trickle.plan.scalar import parts_of


@dataclass(frozen=True)
class TableRead:
    """One way in which a table is read."""

    source: Optional[str]
    """None: the view's own stored rows."""
    read_class: ReadClass
    by: tuple[str, ...] = ()
    """The columns by which rows are looked up."""


@dataclass(frozen=True)
class Demand:
    """Which rows of a relation are asked for, and the columns that say which."""

    read_class: ReadClass
    by: frozenset[str] = frozenset()

    def over(self, names: Iterable[str]) -> Demand:
        """The same of a relation with these columns."""
        return Demand(self.read_class, self.by & frozenset(names))


EVERYTHING = Demand(ReadClass.WHOLE)
Narrow = Mapping[int, Optional[ReadClass]]
"""Operator (by id) → BY_CHANGE for a change and what it is joined with, BY_KEY for what has touched keys, or None."""


def table_reads(root: Op) -> frozenset[TableRead]:
    """All reads of tables in the plan of a change, each once."""
    narrow: dict[int, Optional[ReadClass]] = {}
    for op in walk(root):
        narrow[id(op)] = _narrowness(op, narrow)
    reads: set[TableRead] = set()
    seen: set[tuple[int, Demand]] = set()
    waiting: list[tuple[Op, Demand]] = [(root, EVERYTHING)]
    while waiting:
        op, demand = waiting.pop()
        # A change is computed as a whole, whoever reads it.
        demand = EVERYTHING if op.signed else demand
        if (id(op), demand) in seen:
            continue
        seen.add((id(op), demand))
        if isinstance(op, Scan):
            columns = tuple(column.source for column in op.columns if column.name in demand.by)
            reads.add(TableRead(op.source, demand.read_class, columns))
        elif isinstance(op, StoredRecursion):
            reads.add(TableRead(None, demand.read_class))
        else:
            waiting += zip(op.children, _demands(op, demand, narrow))
    return frozenset(reads)


def _narrowness(root: Op, narrow: Narrow) -> Optional[ReadClass]:
    """Whether a relation is a change, or what touched keys leave of a relation; None where it may be all of one."""
    if root.signed:
        return ReadClass.BY_CHANGE
    op = closed(root)
    match op:
        case TouchedKeys():
            named = any(key.value.columns for key in op.keys)
            return ReadClass.BY_KEY if named and narrow[id(op.child)] else None
        case Restrict():
            return _least((narrow[id(op.child)], narrow[id(op.keys)] if _names_columns(op) else None))
        case Join() | SemiJoin(anti=False):
            return _least((narrow[id(op.left)], narrow[id(op.right)]))
        case SemiJoin() | MarkJoin() | OuterJoin(full=False):
            return narrow[id(op.left)]
        case OuterJoin() | UnionAll():
            every = [narrow[id(child)] for child in op.children]
            return ReadClass.BY_KEY if all(every) else None
        case Lookup():
            return narrow[id(op.keys)]
        case Recursion():
            return narrow[id(op.anchor)]
        case Accumulate() | Aggregate() | Consolidate() | Distinct() | Explode() | Filter() | Negate() | Project():
            return narrow[id(op.child)]
        case ClockDelta() | TopK() | Window() | Within():
            return narrow[id(op.child)]
        case Empty() | Feed() | Recompute() | Scan() | Stored() | StoredRecursion() | Values() | Working():
            return None
        case _:
            assert_never(op)


def _names_columns(op: Restrict) -> bool:
    """Whether the rows' own values decide: a literal key lets all rows through, or none."""
    return any(key.value.columns for key in op.by)


def _least(sides: Iterable[Optional[ReadClass]]) -> Optional[ReadClass]:
    """The narrower side decides."""
    known = [side for side in sides if side is not None]
    return least(known) if known else None


def _demands(root: Op, demand: Demand, narrow: Narrow) -> tuple[Demand, ...]:
    """Which rows of each child are asked for, in the order of the children."""
    op = closed(root)
    match op:
        case Filter() | Within() | Negate() | UnionAll() | Explode():
            return tuple(demand.over(child.schema.names) for child in op.children)
        case Project():
            named = (item.value.columns for item in op.items if item.name in demand.by)
            return (Demand(demand.read_class, frozenset[str]().union(*named)),)
        case Restrict() if narrow[id(op.keys)] and _names_columns(op):
            by = frozenset[str]().union(*(key.value.columns for key in op.by))
            return (Demand(least((demand.read_class, ReadClass.BY_KEY)), by), EVERYTHING)
        case Restrict():
            return (demand, EVERYTHING)
        case Join():
            return _of_sides(op, demand, narrow, (op.left, op.right))
        case SemiJoin(anti=False):
            return _of_sides(op, EVERYTHING, narrow, (op.left, op.right))
        case SemiJoin() | MarkJoin() | OuterJoin(full=False):
            return _of_sides(op, EVERYTHING, narrow, (op.left,))
        case OuterJoin():
            return (EVERYTHING, EVERYTHING)
        case ClockDelta():
            # Where the clock bounds no column, every row is looked at.
            ranged = Demand(ReadClass.BY_KEY, op.before.columns & op.after.columns)
            return (ranged if op.has_range else EVERYTHING,)
        case Accumulate() | Aggregate() | Consolidate() | Distinct() | TopK() | TouchedKeys() | Window():
            return (EVERYTHING,)
        case Lookup() | Recursion():
            return (EVERYTHING, EVERYTHING)
        case Empty() | Feed() | Recompute() | Scan() | Stored() | StoredRecursion() | Values() | Working():
            return ()
        case _:
            assert_never(op)


def _of_sides(
    op: Join | SemiJoin | MarkJoin | OuterJoin, demand: Demand, narrow: Narrow, leading: tuple[Op, ...]
) -> tuple[Demand, Demand]:
    """Of the narrowest side what is asked of the join; of the other what that side meets. Else all of both.

    A join of two wide relations is computed as a whole before anything above it is.
    """
    met = _least(narrow[id(side)] for side in leading)
    if met is None:
        return (EVERYTHING, EVERYTHING)
    side = next(side for side in leading if narrow[id(side)] is met)
    other = op.right if side is op.left else op.left
    on = _connected(op, side, other)
    read_class = least((met, demand.read_class))
    # Without a column that tells rows from each other, touched keys meet all of them.
    wide = Demand(read_class, on) if on or read_class is ReadClass.BY_CHANGE else EVERYTHING
    own = demand.over(side.schema.names)
    return (own, wide) if side is op.left else (wide, own)


def _connected(op: Join | SemiJoin | MarkJoin | OuterJoin, side: Op, other: Op) -> frozenset[str]:
    """The other side's columns in those parts of the condition that compare both sides."""
    own, theirs = frozenset(side.schema.names), frozenset(other.schema.names)
    parts = parts_of(op.condition)
    return frozenset[str]().union(*(part.columns & theirs for part in parts if part.columns & own))
