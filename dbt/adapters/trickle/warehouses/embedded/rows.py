"""Rows with timestamps in the session's time zone.

PySpark returns timestamps in the time zone of the Python process, not of the session: the same table would print
differently on a laptop in Berlin and on a server in UTC.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from pyspark.sql import Row
from pyspark.sql.types import ArrayType, DataType, MapType, StructType, TimestampType


def local_rows(rows: Sequence[Row], schema: StructType, time_zone: Callable[[], str]) -> list[Row]:
    if not _has_timestamp(schema):
        return list(rows)
    zone = ZoneInfo(time_zone())
    return [_in_zone(row, schema, zone) for row in rows]


def _has_timestamp(kind: DataType) -> bool:
    match kind:
        case TimestampType():
            return True
        case ArrayType():
            return _has_timestamp(kind.elementType)
        case MapType():
            return _has_timestamp(kind.keyType) or _has_timestamp(kind.valueType)
        case StructType():
            return any(_has_timestamp(field.dataType) for field in kind.fields)
        case _:
            return False


def _in_zone(value: Any, kind: DataType, zone: ZoneInfo) -> Any:
    if value is None or not _has_timestamp(kind):
        return value
    match kind, value:
        case TimestampType(), datetime():
            return value.astimezone(zone).replace(tzinfo=None)
        case ArrayType(), _:
            return [_in_zone(item, kind.elementType, zone) for item in value]
        case MapType(), _:
            return {
                _in_zone(key, kind.keyType, zone): _in_zone(item, kind.valueType, zone) for key, item in value.items()
            }
        case StructType(), _:
            return Row(*kind.names)(
                *(_in_zone(item, field.dataType, zone) for item, field in zip(value, kind.fields, strict=True))
            )
        case _:
            return value
