"""What can be done with values of a type: compare them, put them in order, store them."""

from __future__ import annotations

from typing_extensions import assert_never

from trickle.types.values import (
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
)


def has_equality(kind: Type) -> bool:
    """Whether Spark compares values of the type: not where a map or a variant is in them, at any depth."""
    match kind:
        case Map() | Simple.VARIANT:
            return False
        case Array() | Struct():
            return all(has_equality(part) for part in parts(kind))
        case Simple() | Decimal() | String() | Char() | Varchar() | Time() | Interval() | Opaque() | Unknown():
            return True
        case _:
            assert_never(kind)


def has_variant(kind: Type) -> bool:
    """Whether a variant is in the values of the type, at any depth: Spark groups by no such value, but by maps."""
    return kind is Simple.VARIANT or any(has_variant(part) for part in parts(kind))


def has_order(kind: Type) -> bool:
    """Whether Spark says which of two values is less: not without an equality, nor of intervals of both kinds."""
    match kind:
        case Map() | Simple.VARIANT | Simple.CALENDAR_INTERVAL:
            return False
        case Array() | Struct():
            return all(has_order(part) for part in parts(kind))
        case Simple() | Decimal() | String() | Char() | Varchar() | Time() | Interval() | Opaque() | Unknown():
            return True
        case _:
            assert_never(kind)


def can_be_stored(kind: Type) -> bool:
    """Whether a Delta table takes a column of the type: no intervals, times of day, texts with a collation."""
    match kind:
        case Interval() | Time() | Simple.CALENDAR_INTERVAL:
            return False
        case String(collation):
            return not collation
        case Array() | Map() | Struct():
            return all(can_be_stored(part) for part in parts(kind))
        case Simple() | Decimal() | Char() | Varchar() | Opaque() | Unknown():
            return True
        case _:
            assert_never(kind)


def is_castable(kind: Type) -> bool:
    """Whether a value can be cast to the type: it is certain, and not the type of NULL alone."""
    return kind is not Simple.VOID and is_known(kind)


def is_known(kind: Type) -> bool:
    """Whether every part of the type is certain."""
    return not isinstance(kind, Unknown) and all(is_known(part) for part in parts(kind))


def parts(kind: Type) -> tuple[Type, ...]:
    """The types a nested type is made of; none for any other."""
    match kind:
        case Array(element):
            return (element,)
        case Map(key, value):
            return (key, value)
        case Struct(fields):
            return tuple(field.type for field in fields)
        case _:
            return ()


def element_of(kind: Type) -> Type:
    """The type of an array's elements, or of a map's values."""
    match kind:
        case Array(element):
            return element
        case Map(_, value):
            return value
        case _:
            return Unknown()


def fields_by_name(kind: Type) -> dict[str, Type]:
    """Name and type of each field of a struct; none where two fields bear one name."""
    if not isinstance(kind, Struct):
        return {}
    by_name = {field.name: field.type for field in kind.fields}
    return by_name if len(by_name) == len(kind.fields) else {}
