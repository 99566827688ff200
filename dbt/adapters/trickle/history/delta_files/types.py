"""Delta's schema JSON → Spark's simple type strings."""

from __future__ import annotations

from trickle.types import as_spark_prints, type_of_json


def simple_type(json_type: object) -> str:
    """`"long"` → `bigint`; nested types in Spark's own notation, such as `array<struct<x:int>>`."""
    return as_spark_prints(type_of_json(json_type))
