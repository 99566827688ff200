"""column_ranges: the ranges of a change's columns, derived from statistics of the rows that came and went."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
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
)
from trickle.plan.equalities import EqualColumns, equal_columns
from trickle.plan.op import Op
from trickle.plan.ranges import ColumnStatistics, Ranges
from trickle.plan.scalar import Named, Scalar, parts_of
from trickle.plan.schema import Schema
from trickle.types import Simple, decimal_of, is_integer

NULL = Ranges(null=True)


class ColumnRanges:
    """The ranges of columns over one plan; each is derived once."""

    def __init__(self, statistics: Mapping[str, ColumnStatistics]) -> None:
        self._statistics = statistics
        self._done: dict[tuple[int, str], Optional[Ranges]] = {}

    def of(self, op: Op, column: str) -> Optional[Ranges]:
        """The ranges of the column in all rows, whatever their weight; None when nothing is known."""
        key = (id(op), column)
        if key not in self._done:
            self._done[key] = self._derived(closed(op), column)
        return self._done[key]

    def _derived(self, op: AnyOp, column: str) -> Optional[Ranges]:
        match op:
            case Feed():
                source = {read.name: read.source for read in op.columns}[column]
                statistics = self._statistics.get(op.source)
                return statistics.changed.get(source) if statistics is not None else None
            case Empty():
                return Ranges()
            case Project(items=items) | TouchedKeys(keys=items) | Aggregate(keys=items):
                return self._of_item(op.children[0], items, column)
            case Filter() | Negate() | Consolidate() | Distinct() | Explode() | Window() | Within():
                (child,) = op.children
                return self.of(child, column) if column in child.schema else None
            case UnionAll():
                every = [self.of(branch, column) for branch in op.inputs]
                return (
                    None if None in every else reduce(or_, (ranges for ranges in every if ranges is not None), Ranges())
                )
            case Restrict():
                return _narrower(self.of(op.child, column), self._of_key(op, column))
            case MarkJoin():
                return self.of(op.left, column) if column in op.left.schema else None
            case Join() | SemiJoin() | OuterJoin():
                return self._of_join(op, column)
            case Accumulate() | ClockDelta() | Lookup() | Recursion() | TopK():
                return None
            case Recompute() | Scan() | Stored() | StoredRecursion() | Values() | Working():
                return None
            case _:
                assert_never(op)

    def _of_item(self, child: Op, items: tuple[Named, ...], column: str) -> Optional[Ranges]:
        value = next((item.value for item in items if item.name == column), None)
        return self.of(child, value.column_name) if value is not None and value.column_name is not None else None

    def _of_key(self, op: Restrict, column: str) -> Optional[Ranges]:
        name = next((key.name for key in op.by if key.value.column_name == column), None)
        return (
            self.of(op.keys, name) if name is not None and comparable(op.schema, column, op.keys.schema, name) else None
        )

    def _of_join(self, op: Join | SemiJoin | OuterJoin, column: str) -> Optional[Ranges]:
        """A side's own ranges, and those of what it must equal where pairs alone are kept."""
        mine, other = (op.left, op.right) if column in op.left.schema else (op.right, op.left)
        own = self.of(mine, column)
        if isinstance(op, OuterJoin):
            padded = op.full or mine is op.right
            return own | NULL if padded and own is not None else own
        if isinstance(op, SemiJoin) and op.anti:
            return own
        for pair in comparable_columns(op.condition, mine, other):
            if pair.mine == column:
                own = _narrower(own, self.through(pair, other))
        return own

    def through(self, pair: EqualColumns, other: Op) -> Optional[Ranges]:
        """The ranges of a column that equals a column of `other`."""
        ranges = self.of(other, pair.other)
        return ranges if ranges is None or pair.null_safe else ranges.without_null


def comparable_columns(condition: Optional[Scalar], mine: Op, other: Op) -> list[EqualColumns]:
    """Every equality that all pairs of a join fulfil, of plain columns of types that compare as they are."""
    pairs = equal_columns(parts_of(condition), mine.schema, other.schema)
    return [pair for pair in pairs if comparable(mine.schema, pair.mine, other.schema, pair.other)]


def comparable(mine: Schema, name: str, other: Schema, other_name: str) -> bool:
    """Whether a literal of one column's type means the same value as in the other column."""
    left, right = mine[name].parsed_type, other[other_name].parsed_type
    if is_integer(left) and is_integer(right):
        return True
    return left == right and (left is Simple.DATE or decimal_of(left) is not None)


def _narrower(left: Optional[Ranges], right: Optional[Ranges]) -> Optional[Ranges]:
    if left is None or right is None:
        return left if right is None else right
    return left & right
