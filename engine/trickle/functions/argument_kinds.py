"""kind_of: a letter for types that are alike to a function."""

from __future__ import annotations

from typing_extensions import assert_never

from trickle.types import (
    Array,
    Char,
    Decimal,
    Interval,
    Map,
    Opaque,
    Simple,
    String,
    Struct,
    Time,
    Type,
    Unknown,
    Varchar,
    is_known,
)

ARRAY = "a"
BOOLEAN = "z"
INTEGER = "i"
MAP = "m"
STRING = "s"
STRUCT = "t"
VARIANT = "v"
DAYS = "I"
MONTHS = "Y"
_SIMPLE = {
    Simple.TINYINT: INTEGER,
    Simple.SMALLINT: INTEGER,
    Simple.INT: INTEGER,
    Simple.BIGINT: "b",
    Simple.FLOAT: "f",
    Simple.DOUBLE: "f",
    Simple.DATE: "D",
    Simple.TIMESTAMP: "T",
    Simple.TIMESTAMP_NTZ: "N",
    Simple.BOOLEAN: BOOLEAN,
    Simple.BINARY: "x",
    Simple.VARIANT: VARIANT,
    Simple.CALENDAR_INTERVAL: "",
    Simple.VOID: "",
}


def kind_of(kind: Type) -> str:
    """The letter of a type; none for one that is not certain, or that every function takes."""
    return _letter(kind) if is_known(kind) else ""


def _letter(kind: Type) -> str:
    match kind:
        case Simple():
            return _SIMPLE[kind]
        case Decimal():
            return "d"
        case String(collation):
            return "" if collation else STRING
        case Char() | Varchar():
            return STRING
        case Interval():
            return MONTHS if kind.counts_months else DAYS
        case Array():
            return ARRAY
        case Map():
            return MAP
        case Struct():
            return STRUCT
        case Time() | Opaque() | Unknown():
            return ""
        case _:
            assert_never(kind)
