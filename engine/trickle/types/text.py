"""type_text: a type in Spark's simple string. parse_type reads back what this prints."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from typing_extensions import assert_never

from trickle.types.parse import parse_type
from trickle.types.rules import is_known
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

_PLAIN_NAME = re.compile(r"\w+")


@lru_cache(maxsize=10_000)
def type_text(kind: Type) -> str:
    """Spark's own notation; empty for a type of which a part is not known. Odd names of fields are quoted."""
    return _text(kind, _quoted) if is_known(kind) else ""


def as_spark_prints(kind: Type) -> str:
    """The same as Spark itself prints it: names of fields stand as they are, whatever is in them."""
    return _text(kind, str) if is_known(kind) else ""


def normal(text: str) -> str:
    """One spelling for a type: lower case but for the names of fields, no blanks, Spark's short names."""
    kind = parse_type(text)
    return kind.text.lower() if isinstance(kind, Opaque) else type_text(kind)


def _text(kind: Type, name: Callable[[str], str]) -> str:
    match kind:
        case Simple():
            return kind.value
        case Decimal(precision, scale):
            return f"decimal({precision},{scale})"
        case String(collation):
            return f"string collate {collation}" if collation else "string"
        case Char(length):
            return f"char({length})"
        case Varchar(length):
            return f"varchar({length})"
        case Time(precision):
            return f"time({precision})"
        case Interval(first, last):
            return f"interval {first}" if first == last else f"interval {first} to {last}"
        case Array(element):
            return f"array<{_text(element, name)}>"
        case Map(key, value):
            return f"map<{_text(key, name)},{_text(value, name)}>"
        case Struct(fields):
            named = (f"{name(field.name)}:{_text(field.type, name)}" for field in fields)
            return f"struct<{','.join(named)}>"
        case Opaque(text):
            return text
        case Unknown():
            return ""
        case _:
            assert_never(kind)


def _quoted(name: str) -> str:
    return name if _PLAIN_NAME.fullmatch(name) else f"`{name.replace('`', '``')}`"
