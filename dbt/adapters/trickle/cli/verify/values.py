"""Small domains of values for every type, as SQL: few values, so that they often coincide, and NULL among them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from dbt.adapters.trickle.cli.schema_file import split_columns
from trickle.plan.kinds import decimal_of, is_fraction, is_integer

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
    kind = type_text.lower()
    base = kind.partition("(")[0].partition("<")[0]
    if is_integer(kind):
        return (*WHOLE, *_numbers(literals, 0, 100))
    if decimal_of(kind) is not None:
        return _decimals(kind, literals)
    if is_fraction(kind):
        return (*FRACTIONS, *_numbers(literals, 4, 10**9))
    match base:
        case "string" | "varchar" | "char":
            return _strings(kind, literals)
        case "boolean":
            return ("TRUE", "FALSE")
        case "date":
            return (*DATES, *(f"CAST({literal} AS DATE)" for literal in _dates(literals)))
        case "timestamp" | "timestamp_ltz":
            return tuple(f"TIMESTAMP '{literal}'" for literal in TIMES) + tuple(
                f"CAST({literal} AS TIMESTAMP)" for literal in _dates(literals)
            )
        case "timestamp_ntz":
            return tuple(f"TIMESTAMP_NTZ '{literal}'" for literal in TIMES)
        case "binary":
            return ("X'00'", "X'FF01'")
        case _:
            return _nested(kind, base)


def value(randomness: random.Random, kind: str, values: Sequence[str], nulls: float = 0.12) -> str:
    """A random value of a column: sometimes NULL, and rarely a special float."""
    if randomness.random() < nulls:
        return NULL
    if is_fraction(kind) and randomness.random() < ODD:
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


def _decimals(kind: str, literals: Sequence[str]) -> tuple[str, ...]:
    decimal_type = decimal_of(kind)
    assert decimal_type is not None
    whole = 10 ** min(decimal_type.whole, 9)
    candidates = ["0.5", "0.25", "-0.75", "0", *(("1", "2.5", "3.01") if decimal_type.whole else ())]
    near = list(_numbers(literals, decimal_type.scale, whole - 2)) if decimal_type.whole else []
    return tuple(
        f"{float(number):.{decimal_type.scale}f}" for number in [*candidates, *near] if abs(float(number)) < whole
    )


def _strings(kind: str, literals: Sequence[str]) -> tuple[str, ...]:
    longest = re.search(r"\((\d+)\)", kind)
    limit = int(longest[1]) if longest else 10**6
    texts = [literal.replace("%", "").replace("_", "x") for literal in literals if literal.startswith("'")]
    # Literals come first and twice, so that some rows meet the query's conditions.
    texts_and_others = [*texts, *texts, *STRINGS]
    return tuple(literal for literal in texts_and_others if len(literal) - 2 <= limit)


def _dates(literals: Sequence[str]) -> tuple[str, ...]:
    return tuple(literal for literal in literals if re.fullmatch(r"'\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?'", literal))


def _nested(kind: str, base: str) -> tuple[str, ...]:
    inside = kind[len(base) + 1 : -1]
    parts = [part.strip() for part in split_columns(inside)]
    match base:
        case "array":
            items = domain(parts[0], ())
            return (
                "ARRAY()",
                f"ARRAY({items[0]})",
                f"ARRAY({items[0]}, {items[-1]}, {items[0]})",
                f"ARRAY({items[0]}, NULL)",
            )
        case "map":
            key, item = domain(parts[0], ())[0], domain(parts[1], ())
            return (f"MAP({key}, {item[0]})", f"MAP({key}, {item[-1]})")
        case "struct":
            fields = [part.partition(":") for part in parts]
            named = [(name.strip(), domain(of.strip(), ())) for name, _, of in fields]
            first = ", ".join(f"'{name}', {values[0]}" for name, values in named)
            last = ", ".join(f"'{name}', {values[-1]}" for name, values in named)
            return (f"NAMED_STRUCT({first})", f"NAMED_STRUCT({last})")
        case _:
            return (NULL,)
