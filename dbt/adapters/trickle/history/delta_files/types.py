"""Delta's schema JSON → Spark's simple type strings."""

from __future__ import annotations

from collections.abc import Mapping

_PRIMITIVES = {
    "integer": "int",
    "long": "bigint",
    "short": "smallint",
    "byte": "tinyint",
}


def simple_type(json_type: object) -> str:
    """`"long"` → `bigint`; nested types in Spark's own notation, such as `array<struct<x:int>>`.

    CHAR and VARCHAR are stored, and answered by a SELECT, as `string`.
    """
    if isinstance(json_type, str):
        return _PRIMITIVES.get(json_type, json_type)
    if not isinstance(json_type, Mapping):
        raise TypeError(f"a Delta schema holds the type {json_type!r}, which is neither a name nor an object")
    kind = json_type["type"]
    if kind == "array":
        return f"array<{simple_type(json_type['elementType'])}>"
    if kind == "map":
        return f"map<{simple_type(json_type['keyType'])},{simple_type(json_type['valueType'])}>"
    if kind == "struct":
        fields = (f"{field['name']}:{simple_type(field['type'])}" for field in json_type["fields"])
        return f"struct<{','.join(fields)}>"
    if kind == "udt":
        return simple_type(json_type["sqlType"])
    raise TypeError(f"a Delta schema holds the unknown type {kind!r}")
