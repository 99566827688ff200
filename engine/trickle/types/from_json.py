"""type_of_json: the JSON in which Spark and Delta write schemas, as types."""

from __future__ import annotations

from collections.abc import Mapping

from trickle.types.parse import parse_type
from trickle.types.values import Array, Field, Map, Struct, Type


def type_of_json(json_type: object) -> Type:
    """`"long"` is BIGINT; nested types are objects, and a user's own type is stored as another one.

    CHAR and VARCHAR are `string` here: a table stores texts, and a SELECT answers texts.
    """
    if isinstance(json_type, str):
        return parse_type(json_type)
    if not isinstance(json_type, Mapping):
        raise TypeError(f"a Delta schema holds the type {json_type!r}, which is neither a name nor an object")
    match json_type["type"]:
        case "array":
            return Array(type_of_json(json_type["elementType"]))
        case "map":
            return Map(type_of_json(json_type["keyType"]), type_of_json(json_type["valueType"]))
        case "struct":
            return Struct(tuple(Field(field["name"], type_of_json(field["type"])) for field in json_type["fields"]))
        case "udt":
            return type_of_json(json_type["sqlType"])
        case kind:
            raise TypeError(f"a Delta schema holds the unknown type {kind!r}")
