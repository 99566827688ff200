"""Ranges: bounds on the values of a column, from statistics. Never narrower than the actual values.

Only for types with an unambiguous order and text form: whole numbers, decimals and dates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from sqlglot import exp

from trickle.sql.build import any_of, cast, integer, string

Bound = Any
"""An int, a Decimal, or a date as YYYY-MM-DD, which sorts as dates do: all bounds of one column are of one type."""
Interval = tuple[Bound, Bound]

MAX_INTERVALS = 16
"""More intervals are merged into one: a longer condition costs more to compile than it saves to read."""


@dataclass(frozen=True)
class Ranges:
    """The union of sorted, disjoint closed intervals, and optionally NULL."""

    intervals: tuple[Interval, ...] = ()
    null: bool = False

    def __or__(self, other: Ranges) -> Ranges:
        return ranges((*self.intervals, *other.intervals), self.null or other.null)

    def __and__(self, other: Ranges) -> Ranges:
        both = [
            (max(low, first), min(high, last))
            for low, high in self.intervals
            for first, last in other.intervals
            if low <= last and first <= high
        ]
        return ranges(both, self.null and other.null)

    @property
    def empty(self) -> bool:
        return not self.intervals and not self.null

    @property
    def without_null(self) -> Ranges:
        return Ranges(self.intervals)


@dataclass(frozen=True)
class FileStatistics:
    """One data file of a source, with the ranges of its columns; a missing column may have any value."""

    bytes: int
    columns: Mapping[str, Ranges] = field(default_factory=dict)
    rows: int | None = None
    """None where the log does not contain it."""


@dataclass(frozen=True)
class ColumnStatistics:
    """What the log contains about the values of a source's columns."""

    changed: Mapping[str, Ranges] = field(default_factory=dict)
    """Column → the range of its values in all added and removed rows."""
    files: tuple[FileStatistics, ...] = ()
    """The current files of the source; () when it is too small for skipping files to pay."""

    def share(self, column: str, wanted: Ranges) -> float:
        """The share of the source's bytes in files that may contain such a value."""
        total = sum(file.bytes for file in self.files)
        if not total:
            return 1.0
        read = (file.bytes for file in self.files if not _skips(file, column, wanted))
        return sum(read) / total


def ranges(intervals: Iterable[Interval], null: bool = False) -> Ranges:
    """The intervals sorted, with overlapping ones merged; all merged into one when there are too many."""
    merged: list[Interval] = []
    for low, high in sorted(intervals):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    if len(merged) > MAX_INTERVALS:
        merged = [(merged[0][0], merged[-1][1])]
    return Ranges(tuple(merged), null)


def _skips(file: FileStatistics, column: str, wanted: Ranges) -> bool:
    values = file.columns.get(column)
    return file.rows == 0 or (values is not None and (values & wanted).empty)


def in_ranges(tree: exp.Expr, wanted: Ranges) -> exp.Expr:
    """tree BETWEEN low AND high OR … OR tree IS NULL. Delta skips files by literals only."""
    single = [low for low, high in wanted.intervals if low == high]
    parts: list[exp.Expr] = [
        exp.Between(this=tree.copy(), low=_literal(low), high=_literal(high))
        for low, high in wanted.intervals
        if low != high
    ]
    if single:
        parts.insert(0, exp.In(this=tree.copy(), expressions=[_literal(bound) for bound in single]))
    if wanted.null:
        parts.append(exp.Is(this=tree.copy(), expression=exp.Null()))
    return any_of(parts) or exp.false()


def _literal(value: Bound) -> exp.Expr:
    match value:
        case Decimal():
            number = exp.Literal(this=f"{abs(value):f}", is_string=False)
            return exp.Neg(this=number) if value < 0 else number
        case str():
            return cast(string(value), "date")
        case _:
            return integer(value)
