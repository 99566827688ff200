"""Subqueries in HAVING: they can name aggregates of the outer grouping and aliases of its SELECT list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from trickle.lower.names.scope import Scope, Visible
from trickle.lower.select.expressions import Binder, is_measure

if TYPE_CHECKING:
    from trickle.lower.select.query import Item


@dataclass(frozen=True)
class OuterValues:
    """A condition whose subqueries name columns of the grouping, and a binder whose scope has these."""

    tree: exp.Expr
    binder: Binder


def with_outer_values(
    condition: exp.Expr, lifted: Sequence[Item], binder: Binder, lift: Callable[[exp.Expr], exp.Expr]
) -> OuterValues:
    """HAVING EXISTS (SELECT … WHERE R.w < MAX(L.n) AND R.v < total) → the grouping's columns for MAX(L.n) and total.

    An aggregate in the WHERE of a subquery can only belong to the outer query.
    """
    tree = condition.copy()
    shown: dict[str, Visible] = {}
    for node in list(tree.walk()):
        if is_measure(node) and node.find(exp.Column) is not None and _is_in_where(node):
            own = lift(binder.bind(node))
            if isinstance(own, exp.Column):
                own.meta.update({"trickle_bound": True, **node.meta})
                shown[own.name] = Visible((), own.name, own.name, starred=False)
                node.replace(own)
    taken = {visible.name.lower() for visible in binder.scope.columns}
    for item in lifted:
        if isinstance(item.tree, exp.Column) and item.name.lower() not in taken:
            shown.setdefault(item.name, Visible((), item.name, item.tree.name, starred=False))
    if tree.find(exp.Query) is None:
        return OuterValues(tree, binder)
    return OuterValues(tree, replace(binder, scope=binder.scope + Scope(tuple(shown.values()))))


def _is_in_where(node: exp.Expr) -> bool:
    while node.parent is not None and not isinstance(node, exp.Where):
        node = node.parent
        if isinstance(node, exp.Query):
            return False
    return isinstance(node, exp.Where)
