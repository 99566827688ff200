"""appends_at_end: whether a change only adds rows after all others of an order, as far as statistics prove it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Optional

from sqlglot import exp
from typing_extensions import assert_never

from trickle.delta.column_ranges import ColumnRanges
from trickle.delta.nonnegative import only_adds
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
from trickle.plan.op import Op
from trickle.plan.ranges import Bound, ColumnStatistics, FileStatistics

if TYPE_CHECKING:
    from trickle.layouts.series import Series


def appends_at_end(
    delta: Op, layout: Series, statistics: Mapping[str, ColumnStatistics], changed: Mapping[str, int]
) -> bool:
    """Whether every new row comes after every stored row, and no stored window value reads rows ahead.

    The rows are ordered by a column of a source. Its files that do not lie wholly before the new rows hold exactly as
    many rows as there are new ones: so they hold no others.
    """
    if not layout.by or layout.ahead or not only_adds(delta):
        return False
    first = layout.by[0]
    origin = _origin(layout.input, first.this.name) if isinstance(first.this, exp.Column) else None
    if origin is None:
        return False
    lies = ColumnRanges(statistics).of(delta, first.this.name)
    if lies is None or lies.null or not lies.intervals:
        return False
    source, column = origin
    falls = bool(first.args.get("desc"))
    edge = lies.intervals[-1][1] if falls else lies.intervals[0][0]
    nulls_first = bool(first.args.get("nulls_first"))
    files = statistics[source].files if source in statistics else ()
    rest = [file.rows for file in files if not _lies_before(file, column, edge, falls, nulls_first)]
    return bool(files) and None not in rest and sum(rows or 0 for rows in rest) == changed.get(source)


def _lies_before(file: FileStatistics, column: str, edge: Bound, falls: bool, nulls_first: bool) -> bool:
    ranges = file.columns.get(column)
    if ranges is None or (ranges.null and not nulls_first):
        return False
    return all(low > edge if falls else high < edge for low, high in ranges.intervals)


def _origin(root: Op, column: str) -> Optional[tuple[str, str]]:
    """The source and the column of it that a column of the plan is, row for row."""
    op = closed(root)
    match op:
        case Scan():
            return op.source, next(read.source for read in op.columns if read.name == column)
        case Project():
            name = next(item.value.column_name for item in op.items if item.name == column)
            return None if name is None else _origin(op.child, name)
        case Filter() | Window() if column in op.child.schema:
            return _origin(op.child, column)
        case SemiJoin() | MarkJoin() if column in op.left.schema:
            return _origin(op.left, column)
        case Join():
            return _origin(op.left if column in op.left.schema else op.right, column)
        case Filter() | Window() | SemiJoin() | MarkJoin():
            return None
        case (
            Accumulate()
            | Aggregate()
            | ClockDelta()
            | Consolidate()
            | Distinct()
            | Empty()
            | Explode()
            | Feed()
            | Lookup()
            | Negate()
            | OuterJoin()
            | Recompute()
            | Recursion()
            | Restrict()
            | Stored()
            | StoredRecursion()
            | TopK()
            | TouchedKeys()
            | UnionAll()
            | Values()
            | Within()
            | Working()
        ):
            return None
        case _:
            assert_never(op)
