"""Small domains of values for every type, as SQL: few values, so that they often coincide, and NULL among them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from typing_extensions import assert_never

from trickle.types import (
    Array,
    Char,
    Decimal,
    Map,
    Simple,
    String,
    Struct,
    Type,
    Varchar,
    is_fraction,
    is_integer,
    parse_type,
)

WHOLE = ("1", "2", "3")
STRINGS = ("'a'", "'b'", "'A'", "''", "'a b'")
FRACTIONS = ("0.5", "1.25", "-2.0", "0.0", "3.0")
ODD_FRACTIONS = ("CAST('NaN' AS {kind})", "CAST('-0.0' AS {kind})", "CAST('Infinity' AS {kind})")
DATES = ("DATE '2024-01-31'", "DATE '2024-02-29'", "DATE '2024-03-01'")
TIMES = ("2024-01-31 23:59:59", "2024-02-29 00:00:00", "2024-02-29 12:30:00.5")
NULL = "NULL"
ODD = 0.03
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def domain(type_text: str, literals: Sequence[str]) -> tuple[str, ...]:
    """The values of a column of the type; `literals` are those the query compares it with, as SQL."""
    return _domain(parse_type(type_text), literals)


def _domain(kind: Type, literals: Sequence[str]) -> tuple[str, ...]:
    match kind:
        case Decimal():
            return _decimals(kind, literals)
        case String() | Char() | Varchar():
            return _strings(kind, literals)
        case Simple.BOOLEAN:
            return ("TRUE", "FALSE")
        case Simple.DATE:
            return (*DATES, *(f"CAST({text} AS DATE)" for text in _dates(literals)))
        case Simple.TIMESTAMP:
            written = tuple(f"CAST({text} AS TIMESTAMP)" for text in _dates(literals))
            return tuple(f"TIMESTAMP '{text}'" for text in TIMES) + written
        case Simple.TIMESTAMP_NTZ:
            return tuple(f"TIMESTAMP_NTZ '{text}'" for text in TIMES)
        case Simple.BINARY:
            return ("X'00'", "X'FF01'")
        case Array() | Map() | Struct():
            return _nested(kind)
        case _ if is_integer(kind):
            return (*WHOLE, *_numbers(literals, 0, 100))
        case _ if is_fraction(kind):
            return (*FRACTIONS, *_numbers(literals, 4, 10**9))
        case _:
            return (NULL,)


def value(randomness: random.Random, kind: str, values: Sequence[str], nulls: float = 0.12) -> str:
    """A random value of a column: sometimes NULL, and rarely a special float."""
    if randomness.random() < nulls:
        return NULL
    if is_fraction(parse_type(kind)) and randomness.random() < ODD:
        return randomness.choice(ODD_FRACTIONS).format(kind=kind.upper())
    return randomness.choice(values)


def _numbers(literals: Sequence[str], scale: int, limit: int) -> tuple[str, ...]:
    """The literals and their neighbours, as far as they fit the type."""
    numbers: list[str] = []
    for literal in literals:
        if not _NUMBER.fullmatch(literal) or abs(float(literal)) > limit or ("." in literal and scale == 0):
            continue
        for offset in (0, 1, -1):
            numbers.append(f"{float(literal) + offset:.{scale}f}" if scale else str(int(literal) + offset))
    return tuple(dict.fromkeys(numbers))[:6]


def _decimals(kind: Decimal, literals: Sequence[str]) -> tuple[str, ...]:
    whole = 10 ** min(kind.whole, 9)
    candidates = ["0.5", "0.25", "-0.75", "0", *(("1", "2.5", "3.01") if kind.whole else ())]
    near = list(_numbers(literals, kind.scale, whole - 2)) if kind.whole else []
    return tuple(f"{float(text):.{kind.scale}f}" for text in [*candidates, *near] if abs(float(text)) < whole)


def _strings(kind: String | Char | Varchar, literals: Sequence[str]) -> tuple[str, ...]:
    limit = 10**6 if isinstance(kind, String) else kind.length
    texts = [text.replace("%", "").replace("_", "x") for text in literals if text.startswith("'")]
    # Literals come first and twice, so that some rows meet the query's conditions.
    texts_and_others = [*texts, *texts, *STRINGS]
    return tuple(text for text in texts_and_others if len(text) - 2 <= limit)


def _dates(literals: Sequence[str]) -> tuple[str, ...]:
    return tuple(literal for literal in literals if re.fullmatch(r"'\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?'", literal))


def _nested(kind: Array | Map | Struct) -> tuple[str, ...]:
    match kind:
        case Array(element):
            items = _domain(element, ())
            return (
                "ARRAY()",
                f"ARRAY({items[0]})",
                f"ARRAY({items[0]}, {items[-1]}, {items[0]})",
                f"ARRAY({items[0]}, NULL)",
            )
        case Map(own_key, own_value):
            key, map_values = _domain(own_key, ())[0], _domain(own_value, ())
            return (f"MAP({key}, {map_values[0]})", f"MAP({key}, {map_values[-1]})")
        case Struct(fields):
            named = [(field.name, _domain(field.type, ())) for field in fields]
            first = ", ".join(f"'{name}', {values[0]}" for name, values in named)
            last = ", ".join(f"'{name}', {values[-1]}" for name, values in named)
            return (f"NAMED_STRUCT({first})", f"NAMED_STRUCT({last})")
        case _:
            assert_never(kind)
