"""A refresh as data: the statements to run, in order, and what each is for. Run, explained and snapshotted alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from sqlglot import exp

from trickle.catalog.frontier import Stamp, dotted
from trickle.errors import InternalError, Reason
from trickle.sql.build import table, verbatim
from trickle.sql.feeds import misread_table
from trickle.sql.text import to_text


class Action(Enum):
    """What a refresh does, in the words users see."""

    SKIP = "SKIP"
    NO_DATA = "NO_DATA"
    APPEND = "APPEND"
    INCREMENTAL = "INCREMENTAL"
    FULL = "FULL"
    REINITIALIZE = "REINITIALIZE"
    SUSPENDED = "SUSPENDED"


class Kind(Enum):
    """Kinds of statement; the adapter decides by them how to run one."""

    CREATE = "create"
    """`sql` is the SELECT that fills a new storage table: the adapter wraps it in CREATE OR REPLACE TABLE … AS."""
    APPEND = "append"
    OVERWRITE = "overwrite"
    MERGE = "merge"
    FACADE = "facade"
    """`sql` is the SELECT of the view users read: the adapter wraps it in CREATE OR REPLACE VIEW … AS."""


DATA_KINDS = frozenset({Kind.CREATE, Kind.APPEND, Kind.OVERWRITE, Kind.MERGE})
"""Kinds whose commit carries the stamp."""


def printed(tree: exp.Expr) -> str:
    """A statement as text: the one place that makes one, so that none leaves in which Spark would misread a table."""
    name = misread_table(tree)
    if name is not None:
        raise InternalError(
            f"a statement reads the change feed of {dotted(name)} beside another read of it, which Spark mixes up"
        )
    return to_text(tree)


@dataclass(frozen=True)
class Part:
    """A part of a statement that is computed first and read under its name, until the statement is done."""

    name: str
    query: str

    @property
    def shown(self) -> str:
        """The view it is while the statement runs, for those who read what was done."""
        temporary = exp.Properties(expressions=[exp.TemporaryProperty()])
        view = exp.Create(this=table((self.name,)), kind="VIEW", properties=temporary, expression=verbatim(self.query))
        return to_text(view)


@dataclass(frozen=True)
class Statement:
    """One statement; `why` is a short phrase for the log and the file in target/run."""

    kind: Kind
    sql: str
    why: str
    one_task: bool = False
    """Whether one task can do all of it: every relation it reads is small."""
    parts: tuple[Part, ...] = ()
    """What `sql` reads that is to be computed before it, in this order: each may read those before."""


@dataclass(frozen=True)
class RefreshPlan:
    """What to do now, why, and the stamp that goes into the data commit."""

    action: Action
    reason: Reason
    strategy: str
    statements: tuple[Statement, ...] = ()
    stamp: Stamp | None = None
    notes: tuple[Reason, ...] = ()
    """Further reasons worth showing: why parts recompute, what was priced."""
    prices: dict[str, float] = field(default_factory=dict)
    """Strategy → estimated seconds, for the strategies that were compared."""
    otherwise: Callable[[str], RefreshPlan | None] | None = field(default=None, compare=False)
    """From what the statement failed with to what to do instead, if it is a failure foreseen."""
