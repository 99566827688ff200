"""What one lowering carries along: the text, the relations it names, and the names given out so far."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Optional, Protocol

from sqlglot import exp

from trickle.catalog.facts import Facts
from trickle.catalog.tables import Name
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


Ctes = Mapping[str, Lowered]


class LowerQuery(Protocol):
    """Lowering a nested query: carried along, so that modules with nested queries need not import each other."""

    def __call__(self, tree: exp.Query, session: Session, ctes: Ctes) -> Lowered: ...


@dataclass(frozen=True)
class Session:
    """One compilation. Only `names`, `pending`, `subqueries`, `unknown_types` and `type_mismatches` grow."""

    text: str
    facts: Facts
    lower_query: LowerQuery
    names: Names = field(default_factory=Names)
    inside: tuple[Name, ...] = ()
    """The views being inlined, outermost first."""
    routines: Mapping[str, str] = field(default_factory=dict)
    """Users' functions as they are called → why their answers may change; empty where they may not."""
    outer: Optional[Scope] = None
    """What the query around this subquery shows: names that nothing inside answers to are looked up there."""
    pending: dict[str, Pending] = field(default_factory=dict)
    """Column → the subquery it stands for, in the order they were met."""
    subqueries: dict[Hashable, exp.Expr] = field(default_factory=dict)
    """Position and text of a subquery → the expression in its place."""
    unknown_types: dict[str, None] = field(default_factory=dict)
    """Queries whose types must be known before this plan is right, in the order they were met."""
    type_mismatches: Optional[list[InvalidView]] = None
    """What Spark refuses for its types, in the order it was met. None where Spark itself has accepted the query."""

    def afresh(self) -> Session:
        """The same session with nothing given out yet."""
        return replace(
            self, names=Names(), pending={}, subqueries={}, type_mismatches=None if self.type_mismatches is None else []
        )

    def note(self, tree: exp.Expr, message: str, remedy: str = "") -> None:
        """Note a type mismatch in the model's own text: Spark has refused those of a view when it was created."""
        if self.type_mismatches is not None and not self.inside:
            self.type_mismatches.append(InvalidView(message, position_of(tree, self.text), remedy))
