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
scale of its result: a sum of forty such averages differs by this much. All other types are compared exactly.
"""
SHOWN = 3


def difference(maintained: Iterable[Row], recomputed: Iterable[Row]) -> Optional[str]:
    """None if both are the same multiset, else the first rows of each side that the other lacks."""
    left, right = Counter(map(_row, maintained)), Counter(map(_row, recomputed))
    extra, missing = list((left - right).elements()), list((right - left).elements())
    if not extra and not missing:
        return None
    extra, missing = _without_close(extra, missing)
    if not extra and not missing:
        return None
    sides = [("stored but not in the result", extra), ("in the result but not stored", missing)]
    return "; ".join(f"{title}: {_shown(rows)}" for title, rows in sides if rows)


def _without_close(extra: list[Row], missing: list[Row]) -> tuple[list[Row], list[Row]]:
    """The rows without pairs that differ only in the last digits of floats."""
    unmatched: list[Row] = []
    candidates = list(missing)
    for row in extra:
        partner = next((index for index, other in enumerate(candidates) if _close_rows(row, other)), None)
        if partner is None:
            unmatched.append(row)
        else:
            del candidates[partner]
    return unmatched, candidates


def _close_rows(left: Row, right: Row) -> bool:
    return len(left) == len(right) and all(
        _close(left_value, right_value) for left_value, right_value in zip(left, right)
    )


def _close(left: Any, right: Any) -> bool:
    if left == right:
        return True
    if isinstance(left, tuple) and isinstance(right, tuple):
        return _close_rows(left, right)
    numbers = (int, float, Decimal)
    if not (isinstance(left, numbers) and isinstance(right, numbers)) or not (
        isinstance(left, float) or isinstance(right, float)
    ):
        return False
    return math.isclose(float(left), float(right), rel_tol=RELATIVE, abs_tol=ABSOLUTE)


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
