"""Comparing results as multisets: every row as often as it occurs, every column, floats within a tolerance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Optional

from dbt.adapters.trickle.cli.verify.ring import Row

RELATIVE = 1e-6
ABSOLUTE = 2e-5
"""Floats (and decimals compared with floats) may differ by this share of the larger, or by this much near zero.

Adding floats in another order gives other last digits, and DuckDB averages decimals as DOUBLE where Spark rounds to the
scale of its result: forty rows times such an average differ by as much. Integers, decimals, strings, dates and all else
are compared exactly.
"""
SHOWN = 3


def difference(maintained: Iterable[Row], recomputed: Iterable[Row]) -> Optional[str]:
    """None when both are the same multiset, else the first rows of each side that the other lacks."""
    left, right = Counter(map(_row, maintained)), Counter(map(_row, recomputed))
    extra, missing = list((left - right).elements()), list((right - left).elements())
    if not extra and not missing:
        return None
    extra, missing = _without_close(extra, missing)
    if not extra and not missing:
        return None
    sides = [("stored but not in the result", extra), ("in the result but not stored", missing)]
    return "; ".join(f"{what}: {_shown(rows)}" for what, rows in sides if rows)


def _without_close(extra: list[Row], missing: list[Row]) -> tuple[list[Row], list[Row]]:
    """Pair up rows that are equal but for the last digits of floats."""
    alone: list[Row] = []
    left_over = list(missing)
    for row in extra:
        partner = next((place for place, other in enumerate(left_over) if _close_rows(row, other)), None)
        if partner is None:
            alone.append(row)
        else:
            del left_over[partner]
    return alone, left_over


def _close_rows(left: Row, right: Row) -> bool:
    return len(left) == len(right) and all(_close(one, other) for one, other in zip(left, right))


def _close(one: Any, other: Any) -> bool:
    if one == other:
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        return _close_rows(one, other)
    numbers = (int, float, Decimal)
    if not (isinstance(one, numbers) and isinstance(other, numbers)) or not (
        isinstance(one, float) or isinstance(other, float)
    ):
        return False
    return math.isclose(float(one), float(other), rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def _row(row: Sequence[Any]) -> Row:
    return tuple(_value(value) for value in row)


def _value(value: Any) -> Any:
    """A value that can be hashed and compared: NaN equals NaN, -0.0 is 0.0, nested values are tuples."""
    match value:
        case float():
            return "NaN" if math.isnan(value) else value + 0.0
        case dict():
            return ("map", *sorted(((_value(key), _value(item)) for key, item in value.items()), key=repr))
        case list():
            return ("array", *(_value(item) for item in value))
        case tuple():
            return ("struct", *(_value(item) for item in value))
        case bytearray() | memoryview():
            return bytes(value)
        case _:
            return value


def _shown(rows: list[Row]) -> str:
    first = sorted(rows, key=repr)[:SHOWN]
    more = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    return ", ".join("(" + ", ".join(_text(value) for value in row) + ")" for row in first) + more


def _text(value: Any) -> str:
    match value:
        case None:
            return "NULL"
        case str():
            return repr(value)
        case _:
            return str(value)
