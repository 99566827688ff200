"""The type of an expression: Spark's own, or UNKNOWN where it is not certain.

A sum can be kept algebraically only when the type of what it adds up is certain; where this module answers UNKNOWN,
the group is recomputed instead. Spark itself decides on the types of the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp
from typing_extensions import assert_never

from trickle.functions import facts_of
from trickle.functions.results import concatenated, result_type
from trickle.plan.clock import clock_call_of
from trickle.sql.dialect import PathOf
from trickle.sql.text import to_line
from trickle.types import (
    DAY_TO_SECOND,
    INTEGERS,
    MAX_PRECISION,
    STRING,
    TIMES,
    UNKNOWN,
    YEAR_TO_MONTH,
    Decimal,
    Interval,
    Simple,
    Type,
    decimal_of,
    element_of,
    fields_by_name,
    is_integer,
    is_number,
    parse_type,
    type_text,
    widest,
)

LEAST_SCALE = 6
"""Digits after the point that Spark keeps where a decimal would need more than 38 (adjustPrecisionScale)."""
_BOOLEAN = (exp.Predicate, exp.And, exp.Or, exp.Not, exp.Is, exp.Between, exp.In, exp.Exists, exp.Boolean)
Columns = Mapping[str, str]
"""Column → its type, as text."""


def type_of(tree: exp.Expr, columns: Columns) -> str:
    """The text of an expression's type; empty where it is not certain."""
    return type_text(expression_type(tree, columns))


def expression_type(tree: exp.Expr, columns: Columns) -> Type:
    """The type of an expression over typed columns, or UNKNOWN."""
    match tree:
        case exp.Column():
            return parse_type(columns.get(tree.name, ""))
        case exp.Paren() | exp.Alias() | exp.Neg() | exp.Abs():
            return expression_type(tree.this, columns)
        case exp.Filter() | exp.IgnoreNulls() | exp.RespectNulls() | exp.Window():
            return expression_type(tree.this, columns)
        case exp.Distinct() if len(tree.expressions) == 1:
            return expression_type(tree.expressions[0], columns)
        case exp.Cast():
            return parse_type(to_line(tree.to))
        case exp.Literal() | exp.Interval() | exp.Null():
            return _constant(tree)
        case exp.Add() | exp.Sub() | exp.Mul() | exp.Div():
            return _arithmetic(tree, expression_type(tree.left, columns), expression_type(tree.right, columns))
        case exp.Coalesce() | exp.Case() | exp.If():
            return widest([expression_type(part, columns) for part in _branches(tree)])
        case exp.AggFunc():
            arguments = [tree.this] if isinstance(tree.this, exp.Expr) else []
            return _call(tree.sql_name().lower(), arguments, columns)
        case exp.Anonymous() if (read := clock_call_of(tree)) is not None:
            return read.type
        case exp.Anonymous():
            return _call(str(tree.this).lower(), tree.expressions, columns)
        case _ if isinstance(tree, _BOOLEAN):
            return Simple.BOOLEAN
        case _:
            return _parsed_function(tree, columns)


def _branches(tree: exp.Coalesce | exp.Case | exp.If) -> list[exp.Expr]:
    """The expressions of which one is the value."""
    match tree:
        case exp.Coalesce():
            values = [tree.this, *tree.expressions]
        case exp.Case():
            values = [*(branch.args["true"] for branch in tree.args["ifs"]), tree.args.get("default")]
        case exp.If():
            values = [tree.args["true"], tree.args.get("false")]
        case _:
            assert_never(tree)
    return [part for part in values if part is not None]


def _parsed_function(tree: exp.Expr, columns: Columns) -> Type:
    """Functions for which the parser has a class of their own."""
    match tree:
        case exp.Dot():
            fields = fields_by_name(expression_type(tree.this, columns))
            return {name.lower(): kind for name, kind in fields.items()}.get(tree.expression.name.lower(), UNKNOWN)
        case exp.Bracket() if len(tree.expressions) == 1:
            return element_of(expression_type(tree.this, columns))
        case exp.Trim() | exp.Substring():
            return STRING
        case PathOf():
            return Simple.VARIANT
        case exp.DPipe():
            return concatenated([expression_type(tree.left, columns), expression_type(tree.right, columns)])
        case _:
            return UNKNOWN


def _call(name: str, arguments: Sequence[exp.Expr], columns: Columns) -> Type:
    return result_type(facts_of(name), arguments, [expression_type(part, columns) for part in arguments])


def _constant(tree: exp.Literal | exp.Interval | exp.Null) -> Type:
    match tree:
        case exp.Null():
            return Simple.VOID
        case exp.Interval():
            # INTERVAL '1 day 2 hours' names its units within the text.
            unit = tree.args.get("unit")
            return UNKNOWN if unit is None else _interval_of(to_line(unit).lower())
        case exp.Literal():
            return STRING if tree.is_string else _number(str(tree.this))
        case _:
            assert_never(tree)


def _number(text: str) -> Type:
    if "e" in text.lower():
        return Simple.DOUBLE
    whole, _, fraction = text.partition(".")
    if not fraction and "." not in text:
        return Simple.INT if int(whole) < 2**31 else Simple.BIGINT if int(whole) < 2**63 else UNKNOWN
    digits = len(whole.lstrip("0")) + len(fraction)
    return Decimal(max(digits, len(fraction), 1), len(fraction))


def _arithmetic(tree: exp.Binary, left: Type, right: Type) -> Type:
    """Spark's rules for + - * / on numbers; decimals only where no digit after the point would be given up."""
    if Simple.DOUBLE in (left, right) and is_number(left) and is_number(right):
        return Simple.DOUBLE
    if left in INTEGERS and right in INTEGERS:
        return Simple.DOUBLE if isinstance(tree, exp.Div) else max(left, right, key=INTEGERS.index)
    if isinstance(tree, exp.Sub) and left in TIMES and right in TIMES:
        return Interval("day", "day") if left is right is Simple.DATE else DAY_TO_SECOND
    if (interval := _interval_arithmetic(tree, left, right)) is not None:
        return interval
    first, second = _operand(tree.left, left), _operand(tree.right, right)
    if first is None or second is None:
        return UNKNOWN
    if isinstance(tree, exp.Div):
        scale = max(LEAST_SCALE, first.scale + second.precision + 1)
        result = Decimal(first.whole + second.scale + scale, scale)
    elif isinstance(tree, exp.Mul):
        result = Decimal(first.precision + second.precision + 1, first.scale + second.scale)
    else:
        scale = max(first.scale, second.scale)
        result = Decimal(max(first.whole, second.whole) + scale + 1, scale)
    if result.precision <= MAX_PRECISION:
        return result
    # Whether or not Spark may lose precision (spark.sql.decimalOperations.allowPrecisionLoss), so few digits it keeps.
    exact = result.scale <= LEAST_SCALE and not isinstance(tree, exp.Div)
    return Decimal(MAX_PRECISION, result.scale) if exact else UNKNOWN


def _interval_arithmetic(tree: exp.Binary, left: Type, right: Type) -> Interval | None:
    """An interval computed from intervals and numbers, in its widest form; None for anything else."""
    intervals = [kind for kind in (left, right) if isinstance(kind, Interval)]
    of_times = left in TIMES or right in TIMES
    if not intervals or of_times or (isinstance(tree, exp.Div) and len(intervals) > 1):
        return None
    return intervals[0].widened


def _interval_of(units: str) -> Interval:
    return YEAR_TO_MONTH if "year" in units or "month" in units else DAY_TO_SECOND


def _operand(tree: exp.Expr, kind: Type) -> Decimal | None:
    """Spark narrows a whole literal that meets a decimal to the digits it has."""
    if isinstance(tree, exp.Literal) and is_integer(kind):
        return Decimal(max(len(str(tree.this).lstrip("0")), 1), 0)
    return decimal_of(kind)
