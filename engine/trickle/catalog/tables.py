"""The relations a model reads, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union

from trickle.errors import Reason
from trickle.plan.schema import Column

Name = tuple[str, ...]
"""A relation's physical name: (schema, identifier), lower-cased where Spark ignores case."""


@dataclass(frozen=True)
class Table:
    """A physical table the model reads directly."""

    name: Name
    columns: tuple[Column, ...]
    versioned: bool = True
    """False when it is not Delta: it has no versions to read by."""
    because: Optional[Reason] = None
    """Why there are no versions, where that is not that it is no Delta table."""


@dataclass(frozen=True)
class StreamTable:
    """A table this product maintains: its rows are read from storage, repeated by their count."""

    name: Name
    columns: tuple[Column, ...]
    storage: Name


@dataclass(frozen=True)
class View:
    """A view whose definition is read in place of its name."""

    name: Name
    columns: tuple[Column, ...]
    definition: str


Relation = Union[Table, StreamTable, View]


@dataclass(frozen=True)
class Source:
    """A table that a query scans. `name` is its key in frontiers, `physical` the table whose versions count."""

    name: str
    physical: Name
    relation: Union[Table, StreamTable]
