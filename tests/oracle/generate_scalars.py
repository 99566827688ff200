"""Random expressions over typed columns, as text: conditions, values and aggregate calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from hypothesis import strategies as st
from sqlglot import parse_one

from tests.oracle.choose import choose, once_in
from trickle.plan.scalar import Scalar
from trickle.sql.dialect import Verbatim

LITERALS = {
    "int": ("1", "2", "0", "-1"),
    "bigint": ("0", "1", "3"),
    "decimal": ("1.50", "0.00", "2.25"),
    "string": ("'a'", "'b'", "''"),
    "boolean": ("TRUE", "FALSE"),
    "double": ("0", "1", "2"),
}
CLOCK = "CLOCK('unix_timestamp')"
"""The seconds the clock says: a number like any other, at two moments."""
NUMBERS = ("int", "bigint", "decimal")

Types = Mapping[str, str]
Make = Callable[[st.DrawFn, Mapping[str, str]], str]
"""Column (as it is written) → type."""


@cache
def scalar(text: str) -> Scalar:
    """Expressions are never changed, so equal texts share one."""
    return Scalar(parse_one(text, dialect=Verbatim))


def family(type_text: str) -> str:
    """'decimal' for every decimal, else the type itself."""
    return type_text.split("(")[0]


def of_family(types: Types, *families: str) -> list[str]:
    return [name for name, kind in types.items() if family(kind) in families]


def condition(draw: st.DrawFn, types: Types, depth: int = 1) -> str:
    """A predicate that may be UNKNOWN."""
    kinds = ("compare", "compare", "compare", "null", "in", "between", "case", "not", "and", "or", "clock", "clock")
    kind = choose(draw, kinds)
    match kind:
        case "not" if depth:
            return f"NOT ({condition(draw, types, depth - 1)})"
        case "and" | "or" if depth:
            return f"({condition(draw, types, depth - 1)}) {kind.upper()} ({condition(draw, types, depth - 1)})"
        case "clock" if of_family(types, "int", "bigint"):
            return clock(draw, types)
        case "null":
            return f"{choose(draw, list(types))} IS {choose(draw, ('', 'NOT '))}NULL"
        case "in":
            return _in(draw, types)
        case "between":
            name, (low, high) = _column_and_literals(draw, types, 2)
            return f"{name} BETWEEN {low} AND {high}"
        case "case":
            name, (first,) = _column_and_literals(draw, types, 1)
            return f"CASE WHEN {name} = {first} THEN TRUE WHEN {name} IS NULL THEN NULL ELSE {name} <> {first} END"
        case _:
            return comparison(draw, types)


def comparison(draw: st.DrawFn, types: Types) -> str:
    """A column beside a literal or beside another column of its family."""
    sign = choose(draw, ("=", "<>", "<", ">=", "<=>", "="))
    name, (other,) = _column_and_literals(draw, types, 1)
    partners = [one for one in of_family(types, family(types[name])) if one != name]
    if partners and once_in(draw, 2):
        other = choose(draw, partners)
    return f"{name} {sign} {other}"


def clock(draw: st.DrawFn, types: Types) -> str:
    """A number beside what the clock says, from one side or the other, or between it and something."""
    name = choose(draw, of_family(types, "int", "bigint"))
    now = choose(draw, (CLOCK, CLOCK, f"{CLOCK} - 1"))
    match choose(draw, ("left", "left", "right", "between")):
        case "left":
            return f"{name} {choose(draw, ('<', '>=', '>', '<=', '=', '<>'))} {now}"
        case "right":
            return f"{now} {choose(draw, ('<', '>='))} {name}"
        case _:
            return f"{name} BETWEEN {CLOCK} - 1 AND {CLOCK}"


def _in(draw: st.DrawFn, types: Types) -> str:
    name, literals = _column_and_literals(draw, types, 2)
    items = ", ".join([*literals, *choose(draw, ((), (), ("NULL",)))])
    return f"{name} {choose(draw, ('', 'NOT '))}IN ({items})"


def _column_and_literals(draw: st.DrawFn, types: Types, count: int) -> tuple[str, list[str]]:
    name = choose(draw, list(types))
    return name, [choose(draw, LITERALS[family(types[name])]) for _ in range(count)]


def value(draw: st.DrawFn, types: Types) -> str:
    """A column as it is, or something computed from columns."""
    numbers = of_family(types, *NUMBERS)
    name = choose(draw, list(types))
    kind = choose(draw, ("column", "column", "coalesce", "case", "if", "add", "times", "condition", "literal", "clock"))
    literal = choose(draw, LITERALS[family(types[name])])
    match kind:
        case "coalesce" if family(types[name]) not in ("decimal", "double"):
            return f"COALESCE({name}, {literal})"
        case "case":
            return f"CASE WHEN {condition(draw, types, 0)} THEN {name} END"
        case "if":
            return f"IF({condition(draw, types, 0)}, {name}, {choose(draw, same_type(types, name))})"
        case "add" if numbers:
            sign = choose(draw, "+-")
            return f"{choose(draw, numbers)} {sign} {choose(draw, numbers)}"
        case "times" if of_family(types, "int"):
            return f"{choose(draw, of_family(types, 'int'))} * {choose(draw, ('2', '-1', '3'))}"
        case "condition":
            return condition(draw, types, 0)
        case "clock":
            return CLOCK
        case "literal":
            return literal
        case _:
            return name


def same_type(types: Types, name: str) -> list[str]:
    """The columns of exactly this column's type, itself included."""
    return [one for one, kind in types.items() if kind == types[name]]


def _of_conditions_or_bits(draw: st.DrawFn, types: Types, whole: list[str]) -> str:
    call = choose(draw, ("COUNT_IF", "BOOL_AND", "BOOL_OR", "BIT_AND", "BIT_OR", "BIT_XOR"))
    if call.startswith("BIT") and whole:
        return f"{call}({choose(draw, whole)})"
    return f"{call.replace('BIT', 'BOOL').replace('XOR', 'OR')}({condition(draw, types, 0)})"


def _widened(draw: st.DrawFn, types: Types, name: str) -> str:
    """Sometimes in a decimal so wide that the product with a weight is one no more."""
    wide = types[name] == "decimal(10,2)" and once_in(draw, 2)
    return f"CAST({name} AS DECIMAL(30, 2))" if wide else name


def measure(draw: st.DrawFn, types: Types) -> str:
    """An aggregate call, with DISTINCT or FILTER now and then."""
    numbers = of_family(types, *NUMBERS)
    whole = of_family(types, "int", "bigint")
    call = choose(draw, ("count_star", "count", "sum", "sum", "avg", "min", "max", "min", "max", "other"))
    distinct = choose(draw, ("", "", "DISTINCT "))
    match call:
        case "count":
            text = f"COUNT({distinct}{choose(draw, list(types))})"
        case "sum" if numbers:
            text = f"SUM({distinct}{_widened(draw, types, choose(draw, numbers))})"
        case "avg" if whole:
            text = f"AVG({choose(draw, whole)})"
        case "other":
            text = _of_conditions_or_bits(draw, types, whole)
        case "min" | "max":
            text = f"{call.upper()}({choose(draw, list(types))})"
        case _:
            text = "COUNT(*)"
    if once_in(draw, 4):
        return f"{text} FILTER (WHERE {condition(draw, types, 0)})"
    return text
