"""How many rows a change meets: what a join adds to it, from the sizes of the sources.

A row is taken to meet as many rows of another table as that has for each value of the column it is met by, which has as
many values as the row's own table has rows: a line item meets one order, an order four line items. That is right for
keys, and for everything else a guess.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Optional

from trickle.operators import (
    Accumulate,
    Aggregate,
    Consolidate,
    Distinct,
    Feed,
    Filter,
    Join,
    MarkJoin,
    Negate,
    Project,
    Restrict,
    Scan,
    SemiJoin,
    TouchedKeys,
    UnionAll,
    Within,
)
from trickle.plan.equalities import equal_columns
from trickle.plan.op import Op
from trickle.plan.row_counts import RowCounts
from trickle.plan.scalar import Scalar, parts_of


class RowEstimates:
    """The rows of plans over sources of known sizes, conditions not counted; each operator's are estimated once."""

    def __init__(self, counts: RowCounts) -> None:
        self._counts = counts
        self._done: dict[int, tuple[Op, Optional[float]]] = {}

    def of(self, op: Op) -> Optional[float]:
        """None where nothing is known."""
        if id(op) not in self._done:
            self._done[id(op)] = op, self._estimated(op)
        return self._done[id(op)][1]

    def _estimated(self, op: Op) -> Optional[float]:
        match op:
            case Scan():
                return self._counts.tables.get(op.source)
            case Feed():
                return self._counts.changed.get(op.source)
            case Filter() | Project() | Negate() | Consolidate():
                return self.of(op.child)
            case Aggregate(child=Restrict() as looked_up) if _one_group_a_key(op, looked_up):
                return self._fewest(self.of(looked_up), self.of(looked_up.keys))
            case Distinct() | TouchedKeys() | Accumulate() | Aggregate():
                return self.of(op.child)
            case Within():
                rows = self.of(op.child)
                return None if rows is None else rows * op.share
            case Restrict():
                return self._at_most(op.child, op.keys, self._met_by_keys(op))
            case SemiJoin(anti=False):
                return self._at_most(op.left, op.right, fan_out(op.right, op.left, op.condition, self._counts))
            case SemiJoin() | MarkJoin():
                return self.of(op.left)
            case UnionAll():
                every = [self.of(branch) for branch in op.inputs]
                return None if None in every else sum(rows for rows in every if rows is not None)
            case Join():
                few, wide = (op.left, op.right) if op.left.signed else (op.right, op.left)
                rows, met = self.of(few), fan_out(few, wide, op.condition, self._counts)
                return None if rows is None or met is None or wide.signed else rows * met
            case _:
                return None

    def _met_by_keys(self, op: Restrict) -> Optional[float]:
        """How many rows each key takes."""
        counts, named = self._counts, [(key.value.column_name, key.name) for key in op.by]
        known = [(own, key) for own, key in named if own is not None]
        if any(source_of(op.child, own) == source_of(op.keys, key) for own, key in known):
            # Keys of the table itself: how many rows it has for each is what is not known.
            return None
        return rows_met((table_rows(op.child, own, counts), table_rows(op.keys, key, counts)) for own, key in known)

    def _at_most(self, wide: Op, few: Op, met: Optional[float]) -> Optional[float]:
        """Rows of `wide` that are left where each row of `few` takes so many: never more than there are."""
        there, rows = self.of(wide), self.of(few)
        return self._fewest(there, None if rows is None or met is None else rows * met)

    @staticmethod
    def _fewest(*bounds: Optional[float]) -> Optional[float]:
        return min((known for known in bounds if known is not None), default=None)


def _one_group_a_key(op: Aggregate, looked_up: Restrict) -> bool:
    """Whether all rows of a group have one of the keys by which its input is restricted, and no other group has it."""
    return {key.value for key in op.keys} == {key.value for key in looked_up.by}


def fan_out(few: Op, wide: Op, condition: Optional[Scalar], counts: RowCounts) -> Optional[float]:
    """How many rows of `wide` a row of `few` meets; None where the two are not joined by equality."""
    pairs = equal_columns(parts_of(condition), few.schema, wide.schema)
    return rows_met((table_rows(wide, pair.other, counts), table_rows(few, pair.mine, counts)) for pair in pairs)


def rows_met(equal: Iterable[tuple[Optional[float], Optional[float]]]) -> Optional[float]:
    """The fewest that any of these lets a row meet: how many rows a table has, and values the column it is met by.

    None where one of both is unknown of each.
    """
    return min((max(1.0, rows / values) for rows, values in equal if rows is not None and values), default=None)


def table_rows(op: Op, column: str, counts: RowCounts) -> Optional[float]:
    """The rows of the table whose column it is; None where that is not known."""
    source = source_of(op, column)
    return None if source is None else counts.tables.get(source)


def source_of(op: Op, column: str) -> Optional[str]:
    """The source whose column it is."""
    match op:
        case Scan() | Feed():
            return op.source
        case Project(items=items) | TouchedKeys(keys=items) | Aggregate(keys=items):
            below = next((item.value.column_name for item in items if item.name == column), None)
            return None if below is None else source_of(op.children[0], below)
        case UnionAll():
            sources = {source_of(branch, column) for branch in op.inputs}
            return sources.pop() if len(sources) == 1 else None
        case _:
            holder = next((child for child in op.children if column in child.schema), None)
            return None if holder is None else source_of(holder, column)
