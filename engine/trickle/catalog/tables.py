"""What the engine is told about the relations a model reads. Plain facts; nobody here asks a database anything."""

from __future__ import annotations

from collections.abc import Callable
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
Resolve = Callable[[Name], "Relation | None"]
"""Answers what stands behind a name written in a model; None when nothing does."""
