"""What one lowering carries along: the text, what names stand for, and the names and sources given out so far."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Optional, Protocol, Union

from sqlglot import exp

from trickle.catalog.tables import Name, Resolve, StreamTable, Table
from trickle.errors import InvalidView
from trickle.plan.names import Names
from trickle.plan.op import Op
from trickle.sql.parse import position_of

if TYPE_CHECKING:
    from trickle.lower.names.scope import Scope
    from trickle.lower.subqueries.subqueries import Pending


@dataclass(frozen=True)
class Lowered:
    """A lowered query: its plan, and for each output column the name users see and the plan's name for it."""

    op: Op
    columns: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Source:
    """A physical table the plan scans. `name` is its key in frontiers, `physical` the table whose versions count."""

    name: str
    physical: Name
    relation: Union[Table, StreamTable]


AskTypes = Callable[[str], Sequence[tuple[str, str]]]
"""From the text of a query to names and types of its columns."""
Ctes = Mapping[str, Lowered]


class LowerQuery(Protocol):
    """Lowering a nested query: carried along, so that the functions that meet one need not import each other."""

    def __call__(self, tree: exp.Query, session: Session, ctes: Ctes) -> Lowered: ...


@dataclass(frozen=True)
class Session:
    """One compilation. `names`, `sources` and `pending` grow; everything else stands still."""

    text: str
    resolve: Resolve
    lower_query: LowerQuery
    names: Names = field(default_factory=Names)
    sources: dict[str, Source] = field(default_factory=dict)
    inside: tuple[Name, ...] = ()
    """The views being inlined, outermost first."""
    routines: Mapping[str, str] = field(default_factory=dict)
    """Users' functions as they are called → why their answers may change; empty where they may not."""
    outer: Optional[Scope] = None
    """What the query around this subquery shows: names that nothing inside answers to are looked up there."""
    pending: dict[str, Pending] = field(default_factory=dict)
    """Column → the subquery it stands for, in the order they were met."""
    asked: dict[Hashable, exp.Expr] = field(default_factory=dict)
    """Where a subquery stands and its text → what stands for it."""
    ask_types: Optional[AskTypes] = None
    """Asks Spark for the columns of a query, where Spark is at hand."""
    shown_types: tuple[str, ...] = ()
    """The types of what the whole query shows, where Spark has said so."""
    misfits: Optional[list[InvalidView]] = None
    """What Spark refuses for its types, in the order it was met: looked for where a list is given, and Spark is not
    asked itself."""

    def afresh(self) -> Session:
        """The same to begin with, with nothing given out yet."""
        return replace(
            self, names=Names(), sources={}, pending={}, asked={}, misfits=None if self.misfits is None else []
        )

    def note(self, tree: exp.Expr, message: str, remedy: str = "") -> None:
        """What is written in a view was refused when the view was made."""
        if self.misfits is not None and not self.inside:
            self.misfits.append(InvalidView(message, position_of(tree, self.text), remedy))
