"""What a plan must know of a storage and of its view beside their rows, as the caller read or configured it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ViewColumn:
    """A column of the view with its comment, '' where it has none."""

    name: str
    comment: str = ""


@dataclass(frozen=True)
class Condition:
    """A constraint that the storage enforces: its name, and the user's own text."""

    name: str
    text: str


@dataclass(frozen=True)
class TableDefinition:
    """How a storage is created, and what must be altered where it is kept."""

    properties: Mapping[str, str] = field(default_factory=dict)
    """Of a new storage."""
    partition_by: tuple[str, ...] = ()
    cluster_by: tuple[str, ...] = ()
    location: str | None = None
    constraints: tuple[Condition, ...] = ()
    altered_properties: Mapping[str, str] = field(default_factory=dict)
    """Those of the storage as it is that must change."""
    altered_clustering: tuple[str, ...] | None = None
    """The columns it is to be clustered by from now on; None: as it is."""
    markers: Mapping[str, str] = field(default_factory=dict)
    """Properties that say that view and constraints are in place: written after both."""
    present: Mapping[str, str] = field(default_factory=dict)
    """The properties of the storage as it is."""
    replaceable: bool = True
    """False where it cannot be replaced and must be dropped first, so that readers meet a gap."""


@dataclass(frozen=True)
class ViewDefinition:
    """The view users read."""

    columns: tuple[ViewColumn, ...] = ()
    comment: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    in_place: bool = True
    """Whether the view that is there, if there is a storage, is ours and as it must be."""
    table_in_its_place: bool = False
    """Whether a table has its name."""
    pinned: str = ""
    """A SELECT of the rows it shows now, at the storage's present version; '' where it shows none."""
    pinned_properties: Mapping[str, str] = field(default_factory=dict)
