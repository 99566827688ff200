"""Binding scalar expressions: every column becomes the plan's own name for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional

from sqlglot import exp

from trickle.errors import Position, Unsupported
from trickle.lower.scope import Scope, unknown_column
from trickle.plan.functions import EXACT_AGGREGATES, OTHER_AGGREGATES
from trickle.plan.ties import WRAPPERS
from trickle.reasons import reason
from trickle.sql.parse import position_of
from trickle.sql.text import to_line


@dataclass(frozen=True)
class Binder:
    """Binds expressions of one SELECT: its scope, the aliases defined so far, and the text for positions."""

    scope: Scope
    text: str
    aliases: Mapping[str, exp.Expr] = field(default_factory=dict)
    """Lower-cased alias → bound tree: what a name means when FROM has no such column (lateral column aliases)."""

    def place(self, tree: exp.Expr) -> Optional[Position]:
        return position_of(tree, self.text)

    def bind(self, tree: exp.Expr) -> exp.Expr:
        """A copy of the expression over internal column names."""
        copied = tree.copy()
        return copied.transform(self._bind_node, copy=False)

    def _bind_node(self, node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and not node.meta.get("trickle_bound"):
            return _marked(self.resolve(node))
        return node

    def resolve(self, node: exp.Column) -> exp.Expr:
        """What a column reference stands for here."""
        parts = [part.name for part in node.parts]
        place = self.place(node)
        if isinstance(node.this, exp.Star):
            raise Unsupported([reason("unresolved_name", place, what=".".join(parts))])
        found = self.scope.resolve(parts, place)
        if found is not None:
            return found
        if len(parts) == 1 and parts[0].lower() in self.aliases:
            tree = self.aliases[parts[0].lower()].copy()
            return exp.Paren(this=tree) if isinstance(tree, (exp.Binary, exp.Unary)) else tree
        raise unknown_column(parts, self.scope, place)


def _marked(tree: exp.Expr) -> exp.Expr:
    """Transform visits what it has just placed: bound columns carry a mark so that they are bound once."""
    for node in tree.find_all(exp.Column):
        node.meta["trickle_bound"] = True
    return tree


def function_name(node: exp.Expr) -> str:
    """The function's name in Spark, lower-cased; empty for what is no function call."""
    if isinstance(node, exp.Anonymous):
        return str(node.name).lower()
    if isinstance(node, exp.Func):
        return _spark_name(node)
    return ""


def _spark_name(node: exp.Func) -> str:
    if isinstance(node, (exp.Connector, exp.Case, exp.Cast, exp.If, exp.Coalesce)):
        return type(node).__name__.lower()
    return to_line(node).partition("(")[0].strip().lower()


def is_aggregate(node: exp.Expr) -> bool:
    """Whether a node is an aggregate call."""
    if isinstance(node, exp.AggFunc):
        return True
    return isinstance(node, exp.Anonymous) and str(node.name).lower() in EXACT_AGGREGATES | OTHER_AGGREGATES


def has_aggregate(tree: exp.Expr) -> bool:
    """Whether rows are grouped by it; SUM(x) OVER (…) groups nothing, SUM(SUM(x)) OVER (…) does."""
    return any(is_aggregate(node) and not is_windowed(node) for node in tree.walk())


def is_windowed(node: exp.Expr) -> bool:
    """Whether a call is the function of a window, perhaps with FILTER or IGNORE NULLS in between."""
    while isinstance(node.parent, WRAPPERS) and node.arg_key == "this":
        node = node.parent
    return isinstance(node.parent, exp.Window) and node.arg_key == "this"
