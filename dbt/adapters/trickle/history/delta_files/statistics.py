"""The bounds of a data file's columns by its statistics: exact ones, or none.

Texts are cut, timestamps rounded and NaN cannot be written in JSON: such columns are left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from trickle.plan.ranges import Ranges
from trickle.types import Simple, Type, decimal_of, is_integer, parse_type

NULLS = Ranges(null=True)


def ranged_columns(definition: Metadata) -> dict[str, str]:
    """Column → type, for those whose statistics can be trusted to the last digit."""
    if definition.physical_names != tuple(column.name for column in definition.columns):
        return {}
    return {column.name: column.type for column in definition.columns if _is_exact(column.parsed_type)}


def _is_exact(kind: Type) -> bool:
    return kind is Simple.DATE or decimal_of(kind) is not None


def ranges_of_file(
    columns: Mapping[str, str], stats: str | None, partition: Mapping[str, str | None]
) -> dict[str, Ranges]:
    """Column → the ranges of its values in the file; a column left out may hold anything.

    Rows hidden by a deletion vector are counted in: bounds are then wider than need be, never narrower.
    """
    statistics: Mapping[str, Any] = json.loads(stats, parse_float=Decimal) if stats else {}
    by_column: dict[str, Ranges] = {}
    for name, kind in columns.items():
        if name in partition:
            text = partition[name]
            ranges = NULLS if text is None else bounds(kind, text, text, maybe_null=False)
        else:
            ranges = _from_stats(name, kind, statistics)
        if ranges is not None:
            by_column[name] = ranges
    return by_column


def _from_stats(name: str, kind: str, statistics: Mapping[str, Any]) -> Ranges | None:
    nulls = statistics.get("nullCount", {}).get(name)
    if nulls is not None and nulls == statistics.get("numRecords"):
        return NULLS
    low, high = (statistics.get(side, {}).get(name) for side in ("minValues", "maxValues"))
    return bounds(kind, low, high, maybe_null=nulls != 0)


def bounds(kind: str, low: object, high: object, maybe_null: bool) -> Ranges | None:
    """Two bounds as the log writes them; None when either is missing or is not of the column's type."""
    parsed = parse_type(kind)
    first, last = _value(parsed, low), _value(parsed, high)
    return None if first is None or last is None else Ranges(((first, last),), maybe_null)


def _value(kind: Type, written: object) -> int | Decimal | str | None:
    if isinstance(written, bool) or written is None:
        return None
    try:
        if is_integer(kind):
            return int(written) if isinstance(written, (int, str)) else None
        if kind is Simple.DATE:
            return date.fromisoformat(str(written)).isoformat()
        value = Decimal(str(written))
        return value if value.is_finite() else None
    except (ValueError, ArithmeticError):
        return None
