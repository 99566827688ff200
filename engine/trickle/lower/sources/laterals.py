"""LATERAL (SELECT …): a subquery in FROM that names columns of the left relation, as a join."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

from sqlglot import exp

from trickle.errors import Unsupported
from trickle.lower.names.scope import Scope, Visible
from trickle.lower.select.expressions import Binder
from trickle.lower.session import Lowered, Session
from trickle.lower.subqueries.correlation import outer_columns
from trickle.lower.subqueries.subqueries import join_grouped_rows, rows_of
from trickle.operators import Join, OuterJoin
from trickle.plan.op import Op
from trickle.plan.scalar import Scalar
from trickle.reasons import reason
from trickle.sql.build import all_of


def lower_lateral(left: Op, scope: Scope, inner: Lowered, join: exp.Join, binder: Binder) -> tuple[Op, Scope]:
    """A lateral join. LEFT JOIN LATERAL keeps unmatched left rows; every other join drops them."""
    session = replace(binder.session, outer=scope)
    keeps_unmatched = join.side == "LEFT"
    alias = join.this.args.get("alias")
    qualifier = (alias.name,) if alias is not None and alias.name else ()
    given = [part.name for part in alias.args.get("columns") or []] if alias is not None else []
    names = given or [name for name, _ in inner.columns]
    shown = Scope(tuple(Visible(qualifier, name, node) for name, (_, node) in zip(names, inner.columns)))
    both = scope + shown
    on = join.args.get("on")
    if on is not None and any(isinstance(node, exp.Query) for node in on.walk()):
        raise Unsupported([reason("clause", binder.position(on), what="a subquery in the ON of a LATERAL join")])
    condition = None if on is None or is_always(on) else Binder(both, session, binder.ctes).condition(on, "ON")
    return _joined(left, inner, condition, keeps_unmatched, session), both


def is_always(tree: exp.Expr) -> bool:
    """Whether the condition is TRUE."""
    while isinstance(tree, exp.Paren):
        tree = tree.this
    return isinstance(tree, exp.Boolean) and bool(tree.this)


def _joined(left: Op, inner: Lowered, condition: Optional[exp.Expr], keeps_unmatched: bool, session: Session) -> Op:
    if outer_columns(inner.op) and condition is None:
        grouped = join_grouped_rows(left, inner.op, tuple(name for _, name in inner.columns), session)
        if grouped is not None:
            return grouped
    rows = rows_of(inner.op, session).joined_to(left, session)
    condition_tree = all_of(part.copy() for part in [*rows.conditions, *([condition] if condition is not None else [])])
    on = None if condition_tree is None else Scalar(condition_tree)
    return OuterJoin(left, rows.op, on, full=False) if keeps_unmatched else Join(left, rows.op, on)
