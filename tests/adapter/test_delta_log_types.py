"""Delta's schema JSON reads as the types Spark answers."""

from __future__ import annotations

import pytest

from dbt.adapters.trickle.history.delta_files.types import simple_type

NESTED = {
    "type": "struct",
    "fields": [
        {"name": "x", "type": "integer", "nullable": True, "metadata": {}},
        {
            "name": "y",
            "type": {"type": "array", "elementType": "long", "containsNull": True},
            "nullable": True,
            "metadata": {},
        },
    ],
}


@pytest.mark.parametrize(
    ("delta", "spark"),
    [
        ("integer", "int"),
        ("long", "bigint"),
        ("short", "smallint"),
        ("byte", "tinyint"),
        ("decimal(10,2)", "decimal(10,2)"),
        ("timestamp_ntz", "timestamp_ntz"),
        ("variant", "variant"),
        ("binary", "binary"),
        (NESTED, "struct<x:int,y:array<bigint>>"),
        (
            {"type": "map", "keyType": "string", "valueType": "double", "valueContainsNull": True},
            "map<string,double>",
        ),
    ],
)
def test_simple_type(delta: object, spark: str) -> None:
    """Primitive and nested types carry Spark's own names."""
    assert spark == simple_type(delta)


def test_an_unknown_type_is_refused() -> None:
    """A type we do not know is an error, not a guess."""
    with pytest.raises(TypeError, match="unknown type 'tensor'"):
        simple_type({"type": "tensor"})
