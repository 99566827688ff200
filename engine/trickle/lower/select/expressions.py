"""Binds scalar expressions: every column reference becomes the plan's internal column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Optional, TypeVar

from sqlglot import exp

from trickle.errors import InvalidView, Position, Unsupported
from trickle.functions import facts_of
from trickle.lower.names.scope import Scope, unknown_column
from trickle.lower.names.stars import with_stars_expanded
from trickle.lower.names.structs import with_field_names
from trickle.lower.refusals.type_mismatches import not_a_condition, type_mismatches
from trickle.lower.session import Ctes, Lowered, Session
from trickle.lower.subqueries.polarity import depends_on_optimizer, is_negated, with_searched_cases
from trickle.lower.subqueries.subqueries import exists, membership, scalar
from trickle.plan.expression_types import expression_type
from trickle.plan.make_deterministic import WRAPPERS, called
from trickle.reasons import reason
from trickle.sql.parse import position_of
from trickle.sql.text import function_name, to_line
from trickle.types import has_equality, type_text

NodeT = TypeVar("NodeT", bound=exp.Expr)


@dataclass(frozen=True)
class Binder:
    """Binds expressions of one SELECT: its scope, the CTEs it sees, and the aliases defined so far."""

    scope: Scope
    session: Session
    ctes: Ctes
    aliases: Mapping[str, exp.Expr] = field(default_factory=dict)
    """Lower-cased alias → bound tree, for names that are not columns of FROM (lateral column aliases)."""

    def position(self, tree: exp.Expr) -> Optional[Position]:
        return position_of(tree, self.session.text)

    def with_aliases(self, aliases: Mapping[str, exp.Expr]) -> Binder:
        return replace(self, aliases=aliases)

    def bind(self, tree: exp.Expr) -> exp.Expr:
        """A copy of the expression over internal column names; subqueries become pending columns."""
        named = with_field_names(tree.copy(), self.scope, self.position)
        expanded = with_stars_expanded(named, self.scope, self.position)
        bound = with_searched_cases(expanded).transform(self._bind_node, copy=False)
        if self.session.type_mismatches is not None:
            for part, message in type_mismatches(bound, self.types):
                self.session.note(part, message)
        return bound

    def condition(self, tree: exp.Expr, clause: str) -> exp.Expr:
        """The bound expression of a condition, which must be boolean."""
        bound = self.bind(tree)
        if self.session.type_mismatches is not None:
            for part, message in not_a_condition(bound, self.types, clause):
                self.session.note(part, message, "Compare it with something.")
        return bound

    @property
    def types(self) -> dict[str, str]:
        """Column → type, for every visible column."""
        outer = self.session.outer
        return {**({} if outer is None else outer.types()), **self.scope.types()}

    def _bind_node(self, node: exp.Expr) -> exp.Expr:
        match node:
            case exp.Column() if not node.meta.get("trickle_bound"):
                return _mark_bound(_with_position_of(node, self.resolve(node)))
            case exp.In() | exp.Exists() if _is_compared(node):
                raise InvalidView(
                    "Spark compares nothing with IN or EXISTS", self.position(node), "Put it into parentheses."
                )
            case exp.In() if node.args.get("query"):
                return self._once(node, str(is_negated(node)), self._membership)
            case exp.Any() | exp.All() if isinstance(node.this.unnest(), exp.Query):
                raise _no_such_comparison(node, self.position(node))
            case exp.Exists() if isinstance(node.this, exp.Query):
                return self._once(node, "", lambda query: exists(self._lowered(query.this), self._inner_session))
            case exp.Subquery() if isinstance(node.this, exp.Query):
                return self._once(
                    node, "", lambda query: scalar(self._lowered(query), self._inner_session, self.position(query))
                )
            case _:
                return node

    def _once(self, node: NodeT, how: str, ask: Callable[[NodeT], exp.Expr]) -> exp.Expr:
        """The column of a subquery; equal subqueries of one SELECT, as in its GROUP BY, share a column."""
        where = (self.scope, tuple(sorted((name, id(lowered)) for name, lowered in self.ctes.items())))
        key = (where, to_line(node), how)
        if key not in self.session.subqueries:
            self.session.subqueries[key] = _mark_bound(ask(node))
        return _mark_bound(self.session.subqueries[key].copy())

    def _membership(self, node: exp.In) -> exp.Expr:
        if depends_on_optimizer(node):
            raise Unsupported([reason("in_as_value", self.position(node))])
        values = [self.bind(part) for part in _parts(node.this.unnest()) or [node.this]]
        if any(value.find(exp.Window) for value in values):
            raise Unsupported([reason("clause", self.position(node), what="IN (SELECT …) of a window function")])
        if self.session.type_mismatches is not None:
            for value in values:
                if not has_equality(kind := expression_type(value, self.types)):
                    message = f"IN compares values, and Spark compares none of type {type_text(kind).upper()}"
                    self.session.note(node, message)
        return membership(
            values, self._lowered(node.args["query"]), is_negated(node), self._inner_session, self.position(node)
        )

    def _lowered(self, query: exp.Query) -> Lowered:
        return self.session.lower_query(query, self._inner_session, self.ctes)

    @property
    def _inner_session(self) -> Session:
        """The session for a subquery in one of these expressions."""
        return replace(self.session, outer=self.scope)

    def resolve(self, node: exp.Column) -> exp.Expr:
        """The bound tree of a column reference."""
        parts = [part.name for part in node.parts]
        position = self.position(node)
        if isinstance(node.this, exp.Star):
            raise Unsupported([reason("unresolved_name", position, what=".".join(parts))])
        resolved = self.scope.resolve(parts, position)
        if resolved is not None:
            return resolved
        if len(parts) == 1 and parts[0].lower() in self.aliases:
            tree = self.aliases[parts[0].lower()].copy()
            return exp.Paren(this=tree) if isinstance(tree, (exp.Binary, exp.Unary)) else tree
        if self.session.outer is not None:
            resolved = self.session.outer.resolve(parts, position)
        if resolved is None:
            raise unknown_column(parts, self.scope, position)
        return resolved


def _with_position_of(written: exp.Column, resolved: exp.Expr) -> exp.Expr:
    """The resolved tree with the name's position in the text."""
    positions = [part.meta for part in written.parts if part.meta_get("start") is not None]
    if positions:
        resolved.meta.update(start=positions[0]["start"], end=positions[-1]["end"])
    return resolved


def _is_compared(node: exp.Expr) -> bool:
    """Whether IN or EXISTS is an operand of a comparison without parentheses: sqlglot accepts it, Spark does not."""
    asks = isinstance(node, exp.Exists) or bool(node.args.get("query"))
    return asks and isinstance(node.parent, (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ))


def _parts(tree: exp.Expr) -> list[exp.Expr]:
    """The values of (a, b) and STRUCT(a, b), which Spark compares with the columns of a subquery; [] for others."""
    if isinstance(tree, exp.Tuple):
        return list(tree.expressions)
    return [part.unalias() for part in tree.expressions] if function_name(tree) == "struct" else []


def _no_such_comparison(node: exp.Expr, position: Optional[Position]) -> InvalidView:
    quantifier = type(node).__name__.upper()
    return InvalidView(
        f"Spark does not compare with {quantifier} of a subquery",
        position,
        "Use IN or EXISTS, or compare with its MIN or MAX.",
    )


def _mark_bound(tree: exp.Expr) -> exp.Expr:
    """Mark the tree's columns as bound, because transform visits the replacements too."""
    for node in tree.find_all(exp.Column):
        node.meta["trickle_bound"] = True
    return tree


def is_aggregate(node: exp.Expr) -> bool:
    """Whether a node is an aggregate call."""
    if isinstance(node, exp.AggFunc):
        return True
    return isinstance(node, exp.Anonymous) and facts_of(str(node.name).lower()).is_aggregate


def has_aggregate(tree: exp.Expr) -> bool:
    """Whether the expression needs a grouping: SUM(SUM(x)) OVER (…) does, SUM(x) OVER (…) does not."""
    nodes = tree.walk(prune=lambda node: isinstance(node, exp.Query))
    return any(is_aggregate(node) and not is_windowed(node) for node in nodes)


def is_measure(node: exp.Expr) -> bool:
    """Whether a node is an aggregate call of its grouping, including its FILTER and other clauses."""
    inner = called(node)
    return is_aggregate(inner) and not is_windowed(inner)


def is_windowed(node: exp.Expr) -> bool:
    """Whether a call is the function of a window, perhaps with FILTER or IGNORE NULLS in between."""
    while isinstance(node.parent, WRAPPERS) and node.arg_key == "this":
        node = node.parent
    return isinstance(node.parent, exp.Window) and node.arg_key == "this"
