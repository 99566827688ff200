"""Spark's types as text: how they are spelt, which hold numbers, which have an order, and what two have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Optional

from trickle.plan.schema import UNKNOWN

INTEGERS = ("tinyint", "smallint", "int", "bigint")
FRACTIONS = ("float", "double")
MAX_PRECISION = 38
_WHOLE_DIGITS = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 20}
_DECIMAL = re.compile(r"decimal\((\d+),\s*(-?\d+)\)$")
_NAME = re.compile(r"\w+")
_WITHOUT_NAMES = re.compile(r"[^:<]+(<.*>)?")
_NOT_STORED = re.compile(
    r"(^|[<,:])interval($|[>,]| (year|month|day|hour|minute|second))|(^|[<,:])time\(\d+\)|(^|[<,:])string collate "
)
_TEXT = re.compile(r"string|char\(\d+\)|varchar\(\d+\)")
_SYNONYMS = {
    "integer": "int",
    "long": "bigint",
    "short": "smallint",
    "byte": "tinyint",
    "real": "float",
    "dec": "decimal",
    "numeric": "decimal",
}
_TIMES = ("date", "timestamp_ntz", "timestamp")
"""Each is contained in the next."""
_READ_FROM_TEXT = frozenset({*_TIMES, "boolean", "binary"})
"""Beside one of these a text is read as one."""


@dataclass(frozen=True)
class Decimal:
    """DECIMAL(precision, scale)."""

    precision: int
    scale: int

    def __str__(self) -> str:
        return f"decimal({self.precision},{self.scale})"

    @property
    def whole(self) -> int:
        return self.precision - self.scale


def normal(type_text: str) -> str:
    """One spelling for a type: lower case, no blanks, Spark's own short names."""
    text = type_text.strip().lower()
    compact = re.sub(r"\s*([(),:<>])\s*", r"\1", text)
    compact = _SYNONYMS.get(compact, compact)
    if compact.startswith(("numeric(", "dec(")):
        compact = "decimal" + compact[compact.index("(") :]
    if compact == "decimal":
        return "decimal(10,0)"
    if re.fullmatch(r"decimal\(\d+\)", compact):
        return compact[:-1] + ",0)"
    return compact


def decimal_of(type_text: str) -> Optional[Decimal]:
    """The decimal a type is, or is exactly contained in for arithmetic; None for anything else."""
    found = _DECIMAL.match(type_text)
    if found:
        return Decimal(int(found[1]), int(found[2]))
    if type_text in _WHOLE_DIGITS:
        return Decimal(_WHOLE_DIGITS[type_text], 0)
    return None


def is_integer(type_text: str) -> bool:
    return type_text in INTEGERS


def is_fraction(type_text: str) -> bool:
    return type_text in FRACTIONS


def has_no_equality(type_text: str) -> bool:
    """Whether Spark refuses to compare values of the type: maps and variants, at any depth."""
    return "map<" in type_text or "variant" in type_text


def has_no_order(type_text: str) -> bool:
    """Whether Spark refuses to say which of two values is less: what has no equality, and intervals of both kinds."""
    return has_no_equality(type_text) or type_text == "interval"


def cannot_be_stored(type_text: str) -> bool:
    """Whether no Delta table takes a column of the type: intervals, times of day, texts with a collation."""
    return bool(_NOT_STORED.search(type_text))


def widest(types: Sequence[str]) -> str:
    """The type Spark casts the branches of UNION or CASE to (in ANSI mode); UNKNOWN unless it is certain."""
    if len({one for one in types if one != "void"}) > 2 and any(_TEXT.fullmatch(one) for one in types):
        # What a text is read as depends on which of the others it is compared with first.
        return UNKNOWN
    result = "void" if types else UNKNOWN
    for one in types:
        result = _wider(result, one)
    return result


def _wider(left: str, right: str) -> str:
    if UNKNOWN in (left, right):
        return UNKNOWN
    if left == right or right == "void":
        return left
    if left == "void":
        return right
    if _TEXT.fullmatch(left) or _TEXT.fullmatch(right):
        return _beside_text(*((right, left) if _TEXT.fullmatch(left) else (left, right)))
    if left in _TIMES and right in _TIMES:
        return max(left, right, key=_TIMES.index)
    if is_number(left) and is_number(right):
        return _wider_number(left, right)
    for kind in ("array", "map", "struct"):
        if left.startswith(f"{kind}<") and right.startswith(f"{kind}<"):
            return _wider_parts(kind, fields_of(left), fields_of(right))
    return UNKNOWN


def _beside_text(other: str, text: str) -> str:
    if _TEXT.fullmatch(other):
        return "string"
    if is_integer(other):
        return "bigint"
    if is_number(other):
        return "double"
    return other if other in _READ_FROM_TEXT else UNKNOWN


def _wider_number(left: str, right: str) -> str:
    if is_integer(left) and is_integer(right):
        return max(left, right, key=INTEGERS.index)
    if is_fraction(left) or is_fraction(right):
        return "double"
    first, second = decimal_of(left), decimal_of(right)
    assert first is not None and second is not None
    scale = max(first.scale, second.scale)
    precision = max(first.whole, second.whole) + scale
    return str(Decimal(precision, scale)) if precision <= MAX_PRECISION else UNKNOWN


def _wider_parts(kind: str, left: Sequence[tuple[str, str]], right: Sequence[tuple[str, str]]) -> str:
    """Part by part; structs only where their fields have the same names."""
    if [name for name, _ in left] != [name for name, _ in right]:
        return UNKNOWN
    parts = [(name, _wider(one, other)) for (name, one), (_, other) in zip(left, right)]
    if any(one == UNKNOWN for _, one in parts):
        return UNKNOWN
    inside = ",".join(f"{name}:{one}" if name else one for name, one in parts)
    return f"{kind}<{inside}>"


def fields_of(type_text: str) -> list[tuple[str, str]]:
    """Name and type of each part of a nested type; elements, keys and values have no name."""
    inside = type_text[type_text.index("<") + 1 : -1]
    parts: list[str] = []
    depth = start = 0
    for place, character in enumerate(inside):
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            parts.append(inside[start:place])
            start = place + 1
    parts.append(inside[start:])
    if not type_text.startswith("struct<"):
        return [("", part) for part in parts]
    named = (part.partition(":") for part in parts)
    return [(name, kind) for name, _, kind in named]


def fields_by_name(type_text: str) -> dict[str, str]:
    """Name and type of each field of a struct; none where a name holds what separates names from types."""
    if not type_text.startswith("struct<"):
        return {}
    fields = [(name.strip("`"), kind) for name, kind in fields_of(type_text)]
    certain = all(_NAME.fullmatch(name) and _WITHOUT_NAMES.fullmatch(kind) for name, kind in fields)
    return dict(fields) if certain and len(dict(fields)) == len(fields) else {}


def element_of(type_text: str) -> str:
    """The type of an array's elements, or of a map's values."""
    if not type_text.startswith(("array<", "map<")):
        return UNKNOWN
    kind = fields_of(type_text)[-1][1]
    # A field with a name in quotation marks may hold what ends a type.
    return kind if "`" not in type_text and _WITHOUT_NAMES.fullmatch(kind) else UNKNOWN


def compares_exactly(left: str, right: str) -> bool:
    """Whether two values of the one type that equal the same value of the other are surely equal themselves.

    '1' and '01' both equal 1, and two BIGINTs may equal one DOUBLE: such a key must not stand for the other side.
    """
    if UNKNOWN in (left, right):
        return False
    return left == right or (decimal_of(left) is not None and decimal_of(right) is not None)


def is_number(type_text: str) -> bool:
    return type_text in INTEGERS or type_text in FRACTIONS or decimal_of(type_text) is not None
