"""Steps: everything a refresh does to a warehouse, one value each.

A plan is a tuple of them in the order that is safe to be cut off anywhere. Executing, explaining and snapshotting are
three readers of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Union

from trickle.apply.definitions import ViewColumn
from trickle.catalog.source_files import DataFiles
from trickle.catalog.tables import Name


class Kind(Enum):
    """How a statement writes to the storage."""

    APPEND = "append"
    OVERWRITE = "overwrite"
    MERGE = "merge"


@dataclass(frozen=True)
class Stage:
    """Compute a query before the statements that read it, and keep its rows under a name until the plan has committed.

    Stages run in their order: each may read those before it.
    """

    name: str
    query: str
    kind: ClassVar[str] = "stage"
    why: ClassVar[str] = "computed once, before the statement that reads it"


@dataclass(frozen=True)
class NameFiles:
    """Give data files a name, under which the statements of the plan read them, until the plan has committed."""

    name: str
    files: DataFiles
    kind: ClassVar[str] = "files"
    why: ClassVar[str] = "read by their paths, without asking Delta for them"


@dataclass(frozen=True)
class PinView:
    """The view goes on showing the present rows, at the storage's present version, while the storage is replaced."""

    view: Name
    query: str
    properties: Mapping[str, str]
    kind: ClassVar[str] = "facade"
    why: ClassVar[str] = "readers keep the old version meanwhile"


@dataclass(frozen=True)
class Drop:
    """Drop a table if it is there."""

    relation: Name
    why: str
    kind: ClassVar[str] = "drop"


@dataclass(frozen=True)
class Create:
    """A new storage, in the place of the one that is there, filled by a query."""

    table: Name
    query: str
    properties: Mapping[str, str] = field(default_factory=dict)
    partition_by: tuple[str, ...] = ()
    cluster_by: tuple[str, ...] = ()
    location: str | None = None
    kind: ClassVar[str] = "create"
    why: ClassVar[str] = "build the table"


@dataclass(frozen=True)
class Write:
    """One statement that changes rows of a table; `why` is a short phrase for the log and the file in target/run."""

    form: Kind
    sql: str
    why: str
    planned_once: bool = False
    """Whether Spark has nothing to learn while it runs: all sizes that matter are known, and are in the statement."""

    @property
    def kind(self) -> str:
        return self.form.value


@dataclass(frozen=True)
class SetProperties:
    """Give a table properties."""

    table: Name
    properties: Mapping[str, str]
    why: str
    kind: ClassVar[str] = "alter"


@dataclass(frozen=True)
class Cluster:
    """Cluster a table by these columns from now on; by none where there are none."""

    table: Name
    columns: tuple[str, ...]
    kind: ClassVar[str] = "alter"
    why: ClassVar[str] = "clustering changed"


@dataclass(frozen=True)
class Constrain:
    """Have a table refuse rows that do not satisfy a condition, which is the user's own text."""

    table: Name
    name: str
    condition: str
    kind: ClassVar[str] = "alter"
    why: ClassVar[str] = "constraint of the contract"


@dataclass(frozen=True)
class PutView:
    """The view users read, created or replaced."""

    view: Name
    query: str
    columns: tuple[ViewColumn, ...] = ()
    """Written only where one of them has a comment."""
    comment: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    kind: ClassVar[str] = "facade"
    why: ClassVar[str] = "the view users read"


DataStep = Union[NameFiles, Stage, Write]
"""What brings rows into a storage that is kept: what is read and computed first, and what is written."""

Step = Union[NameFiles, Stage, PinView, Drop, Create, Write, SetProperties, Cluster, Constrain, PutView]
"""All of them; `match` over it ends in `assert_never`."""
