"""What an aggregate call means for the rows of one group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import reduce
from operator import and_, or_, xor
from typing import Any

from sqlglot import exp

from tests.oracle.scalars import Values, evaluate
from tests.oracle.zset import Value, bag

Group = Sequence[tuple[Values, int]]
"""The rows of a group, each with how often it occurs."""


def evaluate_measure(tree: exp.Expr, group: Group) -> Value:
    """A measure: any expression over aggregate calls and constants."""
    return evaluate(tree, {}, lambda node: aggregate(node, group))


def aggregate(tree: exp.Expr, group: Group) -> Value:
    """One aggregate call over a group; FILTER keeps the rows whose condition is true."""
    if isinstance(tree, exp.Filter):
        condition = tree.expression.this
        kept = [(row, count) for row, count in group if evaluate(condition, row) is True]
        return aggregate(tree.this, kept)
    if isinstance(tree, exp.Count) and isinstance(tree.this, exp.Star):
        return sum(count for _, count in group)
    if isinstance(tree, exp.Anonymous):
        return _by_name(tree, group)
    values = _arguments(tree, group)
    match tree:
        case exp.CountIf():
            return sum(value is True for value in values)
        case exp.Count():
            return len(values)
        case exp.Sum():
            return sum(values[1:], values[0]) if values else None
        case exp.Avg():
            return _average(values)
        case exp.Min():
            return min(values, default=None)
        case exp.Max():
            return max(values, default=None)
        case _:
            raise NotImplementedError(f"the oracle does not know the aggregate {tree.sql()}")


BY_NAME: dict[str, Callable[[Any, Any], Any]] = {
    "BOOL_AND": and_,
    "BOOL_OR": or_,
    "BIT_AND": and_,
    "BIT_OR": or_,
    "BIT_XOR": xor,
}
"""Aggregates that put one value after the other together; of no values at all they are NULL."""


def _by_name(tree: exp.Anonymous, group: Group) -> Value:
    name = str(tree.this).upper()
    if name in ("MIN_BY", "MAX_BY"):
        return _by_other(tree, group, least=name == "MIN_BY")
    if name not in BY_NAME:
        raise NotImplementedError(f"the oracle does not know the aggregate {tree.sql()}")
    (argument,) = tree.expressions
    found = [(evaluate(argument, row), count) for row, count in group]
    values: list[Any] = [value for value, count in found if value is not None for _ in range(count)]
    return reduce(BY_NAME[name], values) if values else None


def _by_other(tree: exp.Anonymous, group: Group, least: bool) -> Value:
    """MIN_BY(value, STRUCT(…)): fields are compared in turn, NULL before everything."""
    value, by = tree.expressions

    def place(row: Values) -> list[tuple[bool, Any]]:
        keys = [evaluate(part, row) for part in by.expressions]
        return [(key is not None, key) for key in keys]

    rows = sorted((row for row, _ in group), key=place, reverse=not least)
    return evaluate(value, rows[0]) if rows else None


def _arguments(tree: exp.Expr, group: Group) -> list[Any]:
    """The argument for every row of the group, without NULLs; once each under DISTINCT."""
    if not isinstance(tree.this, exp.Distinct):
        found = [(evaluate(tree.this, row), count) for row, count in group]
        return [value for value, count in found if value is not None for _ in range(count)]
    parts = tree.this.expressions
    rows = bag(tuple(evaluate(part, row) for part in parts) for row, _ in group)
    complete = [row for row, _ in rows if None not in row]
    return [row[0] for row in complete] if len(parts) == 1 else list(complete)


def _average(values: list[Any]) -> Value:
    """Whole numbers average to a double, decimals to four digits more than they have."""
    if not values:
        return None
    total = sum(values[1:], values[0])
    if not isinstance(total, Decimal):
        return float(total / len(values))
    digits = max(-int(value.as_tuple().exponent) for value in values) + 4
    return (total / len(values)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
