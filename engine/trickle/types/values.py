"""Spark's types as values: a closed union, so that every rule about types is a `match` that names them all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Union


class Simple(Enum):
    """A type without parameters; the value is Spark's name for it."""

    TINYINT = "tinyint"
    SMALLINT = "smallint"
    INT = "int"
    BIGINT = "bigint"
    FLOAT = "float"
    DOUBLE = "double"
    BOOLEAN = "boolean"
    BINARY = "binary"
    DATE = "date"
    TIMESTAMP = "timestamp"
    TIMESTAMP_NTZ = "timestamp_ntz"
    CALENDAR_INTERVAL = "interval"
    VARIANT = "variant"
    VOID = "void"


@dataclass(frozen=True)
class Decimal:
    """DECIMAL(precision, scale)."""

    precision: int
    scale: int

    @property
    def whole(self) -> int:
        """Digits before the point."""
        return self.precision - self.scale


@dataclass(frozen=True)
class String:
    """STRING, with a collation or compared byte by byte."""

    collation: str = ""


@dataclass(frozen=True)
class Char:
    """CHAR(length)."""

    length: int


@dataclass(frozen=True)
class Varchar:
    """VARCHAR(length)."""

    length: int


@dataclass(frozen=True)
class Time:
    """TIME(precision): a time of day."""

    precision: int


@dataclass(frozen=True)
class Interval:
    """INTERVAL first TO last; both are the same for an interval of one unit."""

    first: str
    last: str

    @property
    def counts_months(self) -> bool:
        """Whether it is a number of months, not of microseconds."""
        return self.first in ("year", "month")

    @property
    def widened(self) -> Interval:
        """What is computed with it: from the largest unit to the smallest."""
        return Interval("year", "month") if self.counts_months else Interval("day", "second")


@dataclass(frozen=True)
class Array:
    """ARRAY<element>."""

    element: Type


@dataclass(frozen=True)
class Map:
    """MAP<key, value>."""

    key: Type
    value: Type


@dataclass(frozen=True)
class Field:
    """A field of a struct. Its name may hold any character."""

    name: str
    type: Type


@dataclass(frozen=True)
class Struct:
    """STRUCT<fields>."""

    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Opaque:
    """A type that only Spark understands: GEOMETRY, or a text in which nobody can see where a name ends."""

    text: str


@dataclass(frozen=True)
class Unknown:
    """The type of an expression of which nothing is certain."""


Type = Union[Simple, Decimal, String, Char, Varchar, Time, Interval, Array, Map, Struct, Opaque, Unknown]

UNKNOWN = Unknown()
STRING = String()
DAY_TO_SECOND = Interval("day", "second")
YEAR_TO_MONTH = Interval("year", "month")
