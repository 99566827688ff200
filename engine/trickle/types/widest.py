"""widest: the type in which values of several types meet, by Spark's rules of ANSI mode."""

from __future__ import annotations

from collections.abc import Sequence

from trickle.types.numbers import INTEGERS, MAX_PRECISION, decimal_of, is_fraction, is_integer, is_number
from trickle.types.rules import is_known
from trickle.types.values import (
    STRING,
    UNKNOWN,
    Array,
    Char,
    Decimal,
    Field,
    Map,
    Simple,
    String,
    Struct,
    Type,
    Varchar,
)

TIMES = (Simple.DATE, Simple.TIMESTAMP_NTZ, Simple.TIMESTAMP)
"""Each is contained in the next."""


def widest(types: Sequence[Type]) -> Type:
    """The type Spark casts the branches of UNION or CASE to; UNKNOWN unless it is certain."""
    if len({kind for kind in types if kind is not Simple.VOID}) > 2 and any(_is_text(kind) for kind in types):
        # The type a text is cast to depends on which of the others it is compared with first.
        return UNKNOWN
    result: Type = Simple.VOID if types else UNKNOWN
    for kind in types:
        result = _wider(result, kind)
    return result


def compares_exactly(left: Type, right: Type) -> bool:
    """Whether two values of the one type that equal the same value of the other are surely equal themselves.

    '1' and '01' both equal 1, and two BIGINTs may equal one DOUBLE: such a key must not be used for the other side.
    """
    if not (is_known(left) and is_known(right)):
        return False
    return left == right or (decimal_of(left) is not None and decimal_of(right) is not None)


def _wider(left: Type, right: Type) -> Type:
    if not (is_known(left) and is_known(right)):
        return UNKNOWN
    if left == right or right is Simple.VOID:
        return left
    if left is Simple.VOID:
        return right
    if _is_text(left) or _is_text(right):
        return _wider_than_text(right if _is_text(left) else left)
    if left in TIMES and right in TIMES:
        return max(left, right, key=TIMES.index)
    if is_number(left) and is_number(right):
        return _wider_number(left, right)
    return _wider_nested(left, right)


def _is_text(kind: Type) -> bool:
    return isinstance(kind, (Char, Varchar)) or kind == STRING


def _wider_than_text(other: Type) -> Type:
    """What a text and a value of the other type meet in."""
    match other:
        case Char() | Varchar() | String(""):
            return STRING
        case Simple.DATE | Simple.TIMESTAMP | Simple.TIMESTAMP_NTZ | Simple.BOOLEAN | Simple.BINARY:
            return other
        case _ if is_integer(other):
            return Simple.BIGINT
        case _:
            return Simple.DOUBLE if is_number(other) else UNKNOWN


def _wider_number(left: Type, right: Type) -> Type:
    if is_integer(left) and is_integer(right):
        return max(left, right, key=INTEGERS.index)
    if is_fraction(left) or is_fraction(right):
        return Simple.DOUBLE
    first, second = decimal_of(left), decimal_of(right)
    assert first is not None and second is not None
    scale = max(first.scale, second.scale)
    precision = max(first.whole, second.whole) + scale
    return Decimal(precision, scale) if precision <= MAX_PRECISION else UNKNOWN


def _wider_nested(left: Type, right: Type) -> Type:
    """Part by part; structs only where their fields have the same names, which Spark compares without case."""
    result: Type = UNKNOWN
    match left, right:
        case Array(), Array():
            result = Array(_wider(left.element, right.element))
        case Map(), Map():
            result = Map(_wider(left.key, right.key), _wider(left.value, right.value))
        case Struct(), Struct() if _names(left) == _names(right):
            pairs = zip(left.fields, right.fields)
            result = Struct(tuple(Field(mine.name, _wider(mine.type, other.type)) for mine, other in pairs))
        case _:
            pass
    return result if is_known(result) else UNKNOWN


def _names(struct: Struct) -> list[str]:
    return [field.name.lower() for field in struct.fields]
