"""A Z-set: rows with integer weights. The value every plan stands for in the tests."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Union

Value = Union[None, bool, int, float, Decimal, str]
Row = tuple[Value, ...]

NAN = float("nan")
"""The one NaN: rows hold this object, so that NaN equals NaN as it does in GROUP BY."""


@dataclass(frozen=True)
class ZSet:
    """Row → weight, never zero. Rows compare null-safely (None is NULL), NaN equals NaN and -0.0 equals 0.0."""

    weights: dict[Row, int]

    def __post_init__(self) -> None:
        if 0 in self.weights.values():
            raise ValueError("a Z-set holds no zero weights: build it with zset()")

    def __iter__(self) -> Iterator[tuple[Row, int]]:
        return iter(self.weights.items())

    def __len__(self) -> int:
        return len(self.weights)

    def __add__(self, other: ZSet) -> ZSet:
        return zset([*self, *other])

    def __neg__(self) -> ZSet:
        return ZSet({row: -weight for row, weight in self})

    def __sub__(self, other: ZSet) -> ZSet:
        return self + (-other)

    @property
    def is_bag(self) -> bool:
        """Whether it can be the content of a table."""
        return all(weight > 0 for weight in self.weights.values())

    def rows(self) -> list[Row]:
        """Every row as often as its weight says: only a bag has rows."""
        if not self.is_bag:
            raise ValueError(f"not a bag: {self}")
        return [row for row, weight in self for _ in range(weight)]

    def __str__(self) -> str:
        lines = sorted(f"{weight:+d} {row}" for row, weight in self)
        return "\n".join(lines) or "(empty)"


def zset(pairs: Iterable[tuple[Row, int]]) -> ZSet:
    """Sum the weights of equal rows and drop the zeros."""
    total: defaultdict[Row, int] = defaultdict(int)
    for row, weight in pairs:
        # Only doubles have values of more than one spelling.
        total[tuple(map(_normal, row)) if float in map(type, row) else row] += weight
    return ZSet({row: weight for row, weight in total.items() if weight})


def bag(rows: Iterable[Row]) -> ZSet:
    """Each row counted once per occurrence."""
    return zset((row, 1) for row in rows)


def _normal(value: Value) -> Value:
    if isinstance(value, float):
        return NAN if math.isnan(value) else value + 0.0
    return value
