"""Ranges: where the values of a column lie, as far as statistics tell. Never narrower than the truth.

Only types are meant whose order and spelling leave no doubt: whole numbers, decimals and dates.
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

MANY = 16
"""Intervals up to which each is kept: a condition of more costs more to compile than it saves to read."""


@dataclass(frozen=True)
class Ranges:
    """The union of closed intervals, in order and apart from each other, and perhaps NULL."""

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
    """One data file of a source, and where the values of its columns lie; a column left out may hold anything."""

    bytes: int
    columns: Mapping[str, Ranges] = field(default_factory=dict)
    rows: int | None = None
    """None where the log does not say."""


@dataclass(frozen=True)
class ColumnStatistics:
    """What is known of a source's values without reading it."""

    changed: Mapping[str, Ranges] = field(default_factory=dict)
    """Column → where it lies in every row that came or went."""
    files: tuple[FileStatistics, ...] = ()
    """The files the source has now; none when it is too small to read less of it."""

    def share(self, column: str, wanted: Ranges) -> float:
        """The part of the source's bytes in files that may hold such a value."""
        total = sum(file.bytes for file in self.files)
        if not total:
            return 1.0
        read = (file.bytes for file in self.files if not _skips(file, column, wanted))
        return sum(read) / total


def ranges(intervals: Iterable[Interval], null: bool = False) -> Ranges:
    """The intervals in order, those that meet made one; all of them made one when they are too many."""
    found: list[Interval] = []
    for low, high in sorted(intervals):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    if len(found) > MANY:
        found = [(found[0][0], found[-1][1])]
    return Ranges(tuple(found), null)


def _skips(file: FileStatistics, column: str, wanted: Ranges) -> bool:
    held = file.columns.get(column)
    return file.rows == 0 or (held is not None and (held & wanted).empty)


def lies_in(tree: exp.Expr, wanted: Ranges) -> exp.Expr:
    """tree BETWEEN low AND high OR … OR tree IS NULL. Delta skips files by such literals only."""
    single = [low for low, high in wanted.intervals if low == high]
    parts: list[exp.Expr] = [
        exp.Between(this=tree.copy(), low=_literal(low), high=_literal(high))
        for low, high in wanted.intervals
        if low != high
    ]
    if single:
        parts.insert(0, exp.In(this=tree.copy(), expressions=[_literal(one) for one in single]))
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
