"""How many rows a change meets: what a join adds to it, from the sizes of the sources.

A row is taken to meet as many rows of another table as that has more rows than the row's own table: a line item meets
one order, an order four line items. That is right for keys, and for everything else a guess.
"""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.operators import (
    Consolidate,
    Feed,
    Filter,
    Join,
    Negate,
    Project,
    Restrict,
    Scan,
    UnionAll,
    Within,
)
from trickle.plan.op import Op
from trickle.plan.row_counts import RowCounts
from trickle.plan.scalar import Scalar
from trickle.sql.build import conjuncts


def rows_of(root: Op, counts: RowCounts) -> Optional[float]:
    """The rows of a plan, conditions not counted; None where nothing is known."""
    match root:
        case Scan():
            return counts.tables.get(root.source)
        case Feed():
            return counts.changed.get(root.source)
        case Filter() | Project() | Negate() | Consolidate() | Within() | Restrict():
            return rows_of(root.child, counts)
        case UnionAll():
            every = [rows_of(branch, counts) for branch in root.inputs]
            return None if None in every else sum(rows for rows in every if rows is not None)
        case Join():
            few, wide = (root.left, root.right) if root.left.signed else (root.right, root.left)
            rows, met = rows_of(few, counts), fan_out(few, wide, root.condition, counts)
            return None if rows is None or met is None or wide.signed else rows * met
        case _:
            return None


def fan_out(few: Op, wide: Op, condition: Optional[Scalar], counts: RowCounts) -> Optional[float]:
    """How many rows of `wide` a row of `few` meets; None where the two are not joined by equality."""
    pairs = equal_columns(condition, few, wide)
    return min((met for pair in pairs if (met := _met(*pair, few, wide, counts)) is not None), default=None)


def equal_columns(condition: Optional[Scalar], left: Op, right: Op) -> list[tuple[str, str]]:
    """Every equality between a column of the one side and a column of the other."""
    pairs: list[tuple[str, str]] = []
    for part in conjuncts(condition.tree) if condition is not None else ():
        if not isinstance(part, (exp.EQ, exp.NullSafeEQ)):
            continue
        if not isinstance(part.left, exp.Column) or not isinstance(part.right, exp.Column):
            continue
        both = (part.left.name, part.right.name), (part.right.name, part.left.name)
        pairs += [(own, other) for own, other in both if own in left.schema and other in right.schema]
    return pairs


def source_of(op: Op, column: str) -> Optional[str]:
    """The source whose column it is."""
    match op:
        case Scan() | Feed():
            return op.source
        case Project():
            below = next(item.value.column_name for item in op.items if item.name == column)
            return None if below is None else source_of(op.child, below)
        case UnionAll():
            sources = {source_of(branch, column) for branch in op.inputs}
            return sources.pop() if len(sources) == 1 else None
        case _:
            holder = next((child for child in op.children if column in child.schema), None)
            return None if holder is None else source_of(holder, column)


def _met(own: str, other: str, few: Op, wide: Op, counts: RowCounts) -> Optional[float]:
    mine, theirs = source_of(few, own), source_of(wide, other)
    sizes = [counts.tables.get(source) for source in (mine, theirs) if source is not None]
    if len(sizes) < 2 or not sizes[0] or sizes[1] is None:
        return None
    return max(1.0, sizes[1] / sizes[0])
