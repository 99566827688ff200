"""Columns and schemas. Names inside a plan are unique without regard to case.

A column's type is Spark's simple string; decisions are made on the parsed value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from trickle.errors import InternalError
from trickle.types import Type, parse_type

WEIGHT = "__trickle_weight"
"""The weight column of a signed relation: how often the row was added (+) or removed (-)."""

UNKNOWN = ""
"""The type of a column whose type only Spark knows."""


@dataclass(frozen=True)
class Column:
    """A named, typed column; `type` is Spark's simple string, or UNKNOWN."""

    name: str
    type: str = UNKNOWN

    @property
    def parsed_type(self) -> Type:
        """The type as a value."""
        return parse_type(self.type)


@dataclass(frozen=True)
class Schema:
    """An ordered tuple of uniquely named columns."""

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for column in self.columns:
            if column.name.lower() in seen:
                raise InternalError(f"two columns are called {column.name!r} in {self.names}")
            seen.add(column.name.lower())

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    def type_of(self, name: str) -> str:
        """The type of a column that must exist."""
        return self[name].type

    def __getitem__(self, name: str) -> Column:
        try:
            return self._by_name[name]
        except KeyError:
            raise InternalError(f"no column {name!r} among {', '.join(self.names)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __add__(self, other: Schema) -> Schema:
        return Schema(self.columns + other.columns)
