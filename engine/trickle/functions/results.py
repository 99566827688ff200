"""result_type: the type of a call, from the function's record and the types of its arguments."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from typing_extensions import assert_never

from trickle.functions.record import Function, Rule
from trickle.types import (
    MAX_PRECISION,
    STRING,
    UNKNOWN,
    Array,
    Decimal,
    Field,
    Interval,
    Map,
    Simple,
    String,
    Struct,
    Type,
    element_of,
    is_fraction,
    is_integer,
    is_number,
    widest,
)


def result_type(function: Function, arguments: Sequence[exp.Expr], types: Sequence[Type]) -> Type:
    """The type of a call with these arguments of these types; UNKNOWN where it is not certain."""
    if function.result_with not in (None, len(types)):
        return UNKNOWN
    if not isinstance(function.result, Rule):
        return function.result
    return _by_rule(function.result, arguments, types) if types else UNKNOWN


def _by_rule(rule: Rule, arguments: Sequence[exp.Expr], types: Sequence[Type]) -> Type:
    match rule:
        case Rule.FIRST:
            return types[0]
        case Rule.FIRST_OR_THIRD:
            return widest([types[0], *types[2:]])
        case Rule.WIDEST:
            return widest(types)
        case Rule.ELEMENT:
            return element_of(types[0])
        case Rule.ARRAY_OF_FIRST:
            return Array(types[0])
        case Rule.ARRAY:
            return Array(UNKNOWN)
        case Rule.CONCATENATED:
            return concatenated(types)
        case Rule.STRUCT:
            return _struct_of(arguments[::2], types[1::2])
        case Rule.MAP:
            return UNKNOWN if len(types) % 2 else Map(widest(types[::2]), widest(types[1::2]))
        case Rule.ROUNDED:
            return _rounded(types[0], arguments[1:])
        case Rule.SUM:
            return _sum(types[0])
        case Rule.AVG:
            return _average(types[0])
        case _:
            assert_never(rule)


def concatenated(types: Sequence[Type]) -> Type:
    """What || and CONCAT make: a string, but not of arrays, nor of binaries only."""
    return STRING if all(_is_printed(kind) for kind in types) else UNKNOWN


def _is_printed(kind: Type) -> bool:
    match kind:
        case String("") | Simple.BOOLEAN | Simple.DATE | Simple.TIMESTAMP | Simple.VOID:
            return True
        case _:
            return is_number(kind)


def _struct_of(names: Sequence[exp.Expr], types: Sequence[Type]) -> Type:
    if len(names) != len(types) or not all(isinstance(name, exp.Literal) for name in names):
        return UNKNOWN
    return Struct(tuple(Field(name.name, kind) for name, kind in zip(names, types)))


def _rounded(argument: Type, digits: Sequence[exp.Expr]) -> Type:
    """Whole numbers and fractions keep their type; a decimal keeps as many digits as requested, and may carry one."""
    if is_integer(argument) or is_fraction(argument):
        return argument
    literals = all(isinstance(digit, exp.Literal) and str(digit.this).isdigit() for digit in digits)
    if not isinstance(argument, Decimal) or not literals:
        return UNKNOWN
    digits_left = min(argument.scale, int(str(digits[0].this)) if digits else 0)
    return Decimal(min(argument.whole + 1 + digits_left, MAX_PRECISION), digits_left)


def _sum(argument: Type) -> Type:
    match argument:
        case Decimal():
            return _grown(argument, 10, 0)
        case Interval():
            return argument.widened
        case _ if is_integer(argument):
            return Simple.BIGINT
        case _:
            return Simple.DOUBLE if is_fraction(argument) else UNKNOWN


def _average(argument: Type) -> Type:
    match argument:
        case Decimal():
            return _grown(argument, 4, 4)
        case Interval():
            return argument.widened
        case _:
            return Simple.DOUBLE if is_integer(argument) or is_fraction(argument) else UNKNOWN


def _grown(kind: Decimal, precision: int, scale: int) -> Type:
    """The decimal type SUM and AVG give, capped at 38 digits where that loses no scale."""
    wanted = Decimal(kind.precision + precision, kind.scale + scale)
    if wanted.precision <= MAX_PRECISION:
        return wanted
    return Decimal(MAX_PRECISION, wanted.scale) if scale == 0 else UNKNOWN
