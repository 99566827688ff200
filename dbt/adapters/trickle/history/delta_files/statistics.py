"""What a data file's statistics say of its columns: exact bounds, or nothing where they may be less than that.

Texts are cut, timestamps rounded and NaN has no place in JSON: such columns are left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from trickle import Ranges

WHOLE = ("tinyint", "smallint", "int", "bigint")
NULLS = Ranges(null=True)


def ranged_columns(definition: Metadata) -> dict[str, str]:
    """Column → type, for those whose statistics can be trusted to the last digit."""
    if definition.physical_names != tuple(one.name for one in definition.columns):
        return {}
    return {
        one.name: one.type
        for one in definition.columns
        if one.type in WHOLE or one.type == "date" or one.type.startswith("decimal(")
    }


def ranges_of_file(
    columns: Mapping[str, str], stats: str | None, partition: Mapping[str, str | None]
) -> dict[str, Ranges]:
    """Column → where its values lie in the file; a column left out may hold anything.

    Rows hidden by a deletion vector are counted in: bounds are then wider than need be, never narrower.
    """
    told: Mapping[str, Any] = json.loads(stats, parse_float=Decimal) if stats else {}
    found: dict[str, Ranges] = {}
    for name, kind in columns.items():
        if name in partition:
            text = partition[name]
            lies = NULLS if text is None else bounds(kind, text, text, maybe_null=False)
        else:
            lies = _from_stats(name, kind, told)
        if lies is not None:
            found[name] = lies
    return found


def _from_stats(name: str, kind: str, told: Mapping[str, Any]) -> Ranges | None:
    nulls = told.get("nullCount", {}).get(name)
    if nulls is not None and nulls == told.get("numRecords"):
        return NULLS
    low, high = (told.get(side, {}).get(name) for side in ("minValues", "maxValues"))
    return bounds(kind, low, high, maybe_null=nulls != 0)


def bounds(kind: str, low: object, high: object, maybe_null: bool) -> Ranges | None:
    """Two bounds as the log writes them; None when either is missing or is not of the column's type."""
    first, last = _value(kind, low), _value(kind, high)
    return None if first is None or last is None else Ranges(((first, last),), maybe_null)


def _value(kind: str, told: object) -> int | Decimal | str | None:
    if isinstance(told, bool) or told is None:
        return None
    try:
        if kind in WHOLE:
            return int(told) if isinstance(told, (int, str)) else None
        if kind == "date":
            return date.fromisoformat(str(told)).isoformat()
        value = Decimal(str(told))
        return value if value.is_finite() else None
    except (ValueError, ArithmeticError):
        return None
