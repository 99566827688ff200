"""Spark's types, as far as the engine must know them: exact or UNKNOWN, never guessed.

A sum can be kept algebraically only when the type of what it adds up is certain; where this module says UNKNOWN,
the group is recomputed instead. Spark itself has the last word on the types of the result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Optional

from sqlglot import exp

from trickle.plan.clock import TYPES as CLOCK_TYPES
from trickle.plan.clock import clock_call_of
from trickle.plan.kinds import (
    INTEGERS,
    MAX_PRECISION,
    Decimal,
    decimal_of,
    element_of,
    fields_by_name,
    is_fraction,
    is_integer,
    is_number,
    normal,
    widest,
)
from trickle.plan.schema import UNKNOWN
from trickle.sql.dialect import PathOf
from trickle.sql.text import to_line

_LEAST_QUOTIENT_SCALE = 6
_DECIMAL = re.compile(r"decimal\((\d+),\s*(-?\d+)\)$")
_RESULT_TYPES = {
    **dict.fromkeys(
        "btrim lpad rpad lcase ucase translate md5 sha1 sha2 hex substring substring_index split_part".split(), "string"
    ),
    **dict.fromkeys("to_char format_number format_string printf regexp_extract regexp_substr".split(), "string"),
    **dict.fromkeys(
        "upper lower trim ltrim rtrim substr replace regexp_replace concat_ws date_format initcap".split(), "string"
    ),
    **dict.fromkeys("year quarter month day dayofmonth dayofweek dayofyear hour minute second length".split(), "int"),
    **dict.fromkeys("size cardinality array_size".split(), "int"),
    **dict.fromkeys(
        "char_length character_length instr locate position datediff weekofyear weekday ascii".split(), "int"
    ),
    **dict.fromkeys("row_number rank dense_rank ntile".split(), "int"),
    **dict.fromkeys("percent_rank cume_dist".split(), "double"),
    **dict.fromkeys("any some every bool_and bool_or".split(), "boolean"),
    **dict.fromkeys("approx_count_distinct regr_count".split(), "bigint"),
    **dict.fromkeys("std stddev stddev_pop stddev_samp variance var_pop var_samp skewness kurtosis".split(), "double"),
    **dict.fromkeys("corr covar_pop covar_samp regr_intercept regr_r2 regr_slope regr_sxx regr_sxy".split(), "double"),
    "raise_error": "void",
    **dict.fromkeys("parse_json try_parse_json to_variant_object".split(), "variant"),
    **dict.fromkeys("to_date date_add date_sub add_months last_day next_day make_date trunc".split(), "date"),
    **dict.fromkeys("isnull isnotnull isnan startswith endswith contains like rlike".split(), "boolean"),
    "make_dt_interval": "interval day to second",
    "make_ym_interval": "interval year to month",
    **dict.fromkeys(["make_interval", "try_make_interval"], "interval"),
    **dict.fromkeys(["make_time", "try_to_time", "to_time"], "time(6)"),
    **dict.fromkeys("sqrt exp ln log log10 log2 power pow sin cos tan atan months_between".split(), "double"),
}
"""Functions of one result type, whatever their arguments."""
_DAY_TO_SECOND = "interval day to second"
_YEAR_TO_MONTH = "interval year to month"
_TIMES = ("date", "timestamp", "timestamp_ntz")
_OF_ARGUMENT = frozenset(
    "lag lead first first_value last last_value nth_value any_value nullif abs bit_and bit_or bit_xor mode".split()
)
"""Functions that answer one of the values of their first argument (LAG and LEAD: or of their third)."""
_ELEMENT = frozenset({"element_at", "try_element_at"})
_NAME = re.compile(r"[a-z_][a-z0-9_]*", re.ASCII)
"""A name that types spell as it is."""
_COLLECTED = frozenset({"collect_list", "collect_set", "array_agg"})
_WIDEST = frozenset("nvl ifnull greatest least".split())
_BOOLEAN = (exp.Predicate, exp.And, exp.Or, exp.Not, exp.Is, exp.Between, exp.In, exp.Exists, exp.Boolean)


def type_of(tree: exp.Expr, columns: Mapping[str, str]) -> str:
    """The type of an expression over typed columns, or UNKNOWN."""
    match tree:
        case exp.Column():
            return columns.get(tree.name, UNKNOWN)
        case exp.Paren() | exp.Alias() | exp.Neg() | exp.Abs():
            return type_of(tree.this, columns)
        case exp.Cast():
            return normal(to_line(tree.to))
        case exp.Literal():
            return _literal(tree)
        case exp.Interval():
            # INTERVAL '1 day 2 hours' says within the text what it is of.
            unit = tree.args.get("unit")
            return UNKNOWN if unit is None else _wide(f"interval {to_line(unit).lower()}")
        case exp.Null():
            return "void"
        case exp.Add() | exp.Sub() | exp.Mul() | exp.Div():
            return _arithmetic(tree, type_of(tree.left, columns), type_of(tree.right, columns))
        case exp.Coalesce():
            return widest([type_of(part, columns) for part in (tree.this, *tree.expressions)])
        case exp.Case():
            branches = [branch.args["true"] for branch in tree.args["ifs"]]
            default = tree.args.get("default")
            return widest([type_of(part, columns) for part in (*branches, *([default] if default else []))])
        case exp.If():
            otherwise = tree.args.get("false")
            return widest([type_of(part, columns) for part in (tree.args["true"], *([otherwise] if otherwise else []))])
        case exp.Filter() | exp.IgnoreNulls() | exp.RespectNulls() | exp.Window():
            return type_of(tree.this, columns)
        case exp.Distinct() if len(tree.expressions) == 1:
            return type_of(tree.expressions[0], columns)
        case exp.AggFunc():
            return _aggregate(tree, columns)
        case exp.Anonymous():
            return _named_function(tree, columns)
        case _ if isinstance(tree, _BOOLEAN):
            return "boolean"
        case _:
            return _parsed_function(tree, columns)


def _parsed_function(tree: exp.Expr, columns: Mapping[str, str]) -> str:
    """Functions for which the parser has a class of their own."""
    match tree:
        case exp.Dot():
            fields = {name.lower(): kind for name, kind in fields_by_name(type_of(tree.this, columns)).items()}
            return fields.get(tree.expression.name.lower(), UNKNOWN)
        case exp.Bracket() if len(tree.expressions) == 1:
            return element_of(type_of(tree.this, columns))
        case exp.Trim() | exp.Substring():
            return "string"
        case PathOf():
            return "variant"
        case exp.DPipe():
            return _joined([type_of(tree.left, columns), type_of(tree.right, columns)])
        case _:
            return UNKNOWN


def _named_function(call: exp.Anonymous, columns: Mapping[str, str]) -> str:
    name = str(call.this).lower()
    if name in ("max_by", "min_by") and len(call.expressions) == 2:
        return type_of(call.expressions[0], columns)
    if name in _COLLECTED and len(call.expressions) == 1:
        element = type_of(call.expressions[0], columns)
        return UNKNOWN if element == UNKNOWN else f"array<{element}>"
    if (reading := clock_call_of(call)) is not None:
        return CLOCK_TYPES[reading.name]
    if name in _OF_ARGUMENT and call.expressions:
        more = call.expressions[2:] if name in ("lag", "lead") else []
        return widest([type_of(part, columns) for part in (call.expressions[0], *more)])
    types = [type_of(part, columns) for part in call.expressions]
    if name in _WIDEST:
        return widest(types)
    if name == "concat":
        return _joined(types)
    if name in ("variant_get", "try_variant_get") and len(types) == 2:
        return "variant"
    if name in _ELEMENT and len(types) == 2:
        return element_of(types[0])
    if name == "named_struct":
        return _struct_of(call.expressions[::2], types[1::2])
    if name == "map" and types and len(types) % 2 == 0:
        return _map_of(widest(types[::2]), widest(types[1::2]))
    if name == "round" and types:
        return _rounded(types[0], call.expressions[1:])
    return _RESULT_TYPES.get(name, UNKNOWN)


def _literal(tree: exp.Literal) -> str:
    if tree.is_string:
        return "string"
    text = str(tree.this)
    if "e" in text.lower():
        return "double"
    whole, _, fraction = text.partition(".")
    if not fraction and "." not in text:
        return "int" if int(whole) < 2**31 else "bigint" if int(whole) < 2**63 else UNKNOWN
    digits = len(whole.lstrip("0")) + len(fraction)
    return str(Decimal(max(digits, len(fraction), 1), len(fraction)))


def _arithmetic(tree: exp.Binary, left: str, right: str) -> str:
    """Spark's rules for + - * / on numbers; decimals only where no digit would be given up."""
    if "double" in (left, right) and is_number(left) and is_number(right):
        return "double"
    if left in INTEGERS and right in INTEGERS:
        return "double" if isinstance(tree, exp.Div) else max(left, right, key=INTEGERS.index)
    if isinstance(tree, exp.Sub) and left in _TIMES and right in _TIMES:
        return "interval day" if left == right == "date" else _DAY_TO_SECOND
    if (span := _span(tree, left, right)) is not None:
        return span
    first, second = _operand(tree.left, left), _operand(tree.right, right)
    if first is None or second is None:
        return UNKNOWN
    if isinstance(tree, exp.Div):
        scale = max(_LEAST_QUOTIENT_SCALE, first.scale + second.precision + 1)
        result = Decimal(first.whole + second.scale + scale, scale)
    elif isinstance(tree, exp.Mul):
        result = Decimal(first.precision + second.precision + 1, first.scale + second.scale)
    else:
        scale = max(first.scale, second.scale)
        result = Decimal(max(first.whole, second.whole) + scale + 1, scale)
    return str(result) if result.precision <= MAX_PRECISION else UNKNOWN


def _span(tree: exp.Binary, left: str, right: str) -> Optional[str]:
    """What lies between two times, and what is computed with it, in its widest form; None for anything else."""
    spans = [one for one in (left, right) if one.startswith("interval ")]
    if not spans or left in _TIMES or right in _TIMES or (isinstance(tree, exp.Div) and len(spans) > 1):
        return None
    return _wide(spans[0])


def _wide(span: str) -> str:
    return _YEAR_TO_MONTH if "year" in span or "month" in span else _DAY_TO_SECOND


def _struct_of(names: Sequence[exp.Expr], types: Sequence[str]) -> str:
    certain = len(names) == len(types) > 0 and UNKNOWN not in types
    if not certain or not all(isinstance(one, exp.Literal) and _NAME.fullmatch(one.name) for one in names):
        return UNKNOWN
    return f"struct<{','.join(f'{one.name}:{kind}' for one, kind in zip(names, types))}>"


def _map_of(key: str, value: str) -> str:
    return UNKNOWN if UNKNOWN in (key, value) else f"map<{key},{value}>"


def _joined(types: Sequence[str]) -> str:
    """What || and CONCAT make: a string, but not of arrays, nor of binaries only."""
    texts = ("string", "boolean", "date", "timestamp", "void")
    return "string" if all(one in texts or is_number(one) for one in types) else UNKNOWN


def _rounded(argument: str, digits: Sequence[exp.Expr]) -> str:
    """Whole numbers and fractions keep their type; a decimal has the digits asked for at most, and may carry one."""
    if is_integer(argument) or is_fraction(argument):
        return argument
    found = _DECIMAL.match(argument)
    if not found or any(not isinstance(one, exp.Literal) or not str(one.this).isdigit() for one in digits):
        return UNKNOWN
    precision, scale = int(found[1]), int(found[2])
    kept = min(scale, int(str(digits[0].this)) if digits else 0)
    return str(Decimal(min(precision - scale + 1 + kept, MAX_PRECISION), kept))


def _operand(tree: exp.Expr, type_text: str) -> Optional[Decimal]:
    """Spark narrows a whole literal beside a decimal to the digits it has."""
    if isinstance(tree, exp.Literal) and is_integer(type_text):
        return Decimal(max(len(str(tree.this).lstrip("0")), 1), 0)
    return decimal_of(type_text)


def _aggregate(tree: exp.AggFunc, columns: Mapping[str, str]) -> str:
    argument = type_of(tree.this, columns) if isinstance(tree.this, exp.Expr) else UNKNOWN
    match tree:
        case exp.Count() | exp.CountIf():
            return "bigint"
        case exp.Min() | exp.Max():
            return argument
        case exp.Sum() if is_integer(argument):
            return "bigint"
        case exp.Sum() if is_fraction(argument):
            return "double"
        case exp.Sum() | exp.Avg() if argument.startswith("interval "):
            return _wide(argument)
        case exp.Sum():
            return _grown(argument, 10, 0)
        case exp.Avg() if is_integer(argument) or is_fraction(argument):
            return "double"
        case exp.Avg():
            return _grown(argument, 4, 4)
        case _:
            return UNKNOWN


def _grown(type_text: str, precision: int, scale: int) -> str:
    """The decimal type SUM and AVG give, capped at 38 digits where that loses no scale."""
    found = _DECIMAL.match(type_text)
    if not found:
        return UNKNOWN
    wanted = Decimal(int(found[1]) + precision, int(found[2]) + scale)
    if wanted.precision <= MAX_PRECISION:
        return str(wanted)
    return str(Decimal(MAX_PRECISION, wanted.scale)) if scale == 0 else UNKNOWN
