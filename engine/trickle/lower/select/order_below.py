"""Refuses aggregates that depend on the order of a subquery below: a grouping does not preserve it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Optional

from sqlglot import exp

from trickle.errors import Reason, Unsupported
from trickle.functions import Ties, facts_of
from trickle.lower.select.expressions import is_aggregate, is_measure
from trickle.lower.session import Session
from trickle.plan.expression_types import expression_type
from trickle.plan.make_deterministic import arguments, called, is_distinct
from trickle.plan.scalar import Named
from trickle.reasons import reason
from trickle.sql.parse import position_of
from trickle.sql.text import function_name
from trickle.types import Simple, has_order

_OTHER_ORDERS = ("order", "group", "distinct", "joins")
"""Clauses with an order of their own, or that destroy the order."""


def refuse_order_below(select: exp.Select, text: str) -> Iterator[Reason]:
    """SELECT COLLECT_LIST(x) FROM (SELECT … ORDER BY t): Spark usually keeps that order, without a guarantee.

    So does SELECT * FROM (SELECT … ORDER BY t) LIMIT 9.
    """
    clause = select.args.get("from_")
    if clause is None or not _is_ordered(clause.this):
        return
    if select.args.get("limit") and not any(select.args.get(clause_name) for clause_name in _OTHER_ORDERS):
        yield reason("order_from_below", position_of(select.args["limit"], text), what="LIMIT")
    for item in select.expressions:
        for node in item.walk(prune=lambda node: isinstance(node, exp.Query)):
            if is_aggregate(node) and is_measure(node) and _shows_order(node):
                yield reason("order_from_below", position_of(node, text), what=f"{function_name(node)}()")


def refuse_incomparable(measures: tuple[Named, ...], types: Mapping[str, str], session: Session) -> None:
    """One of several right answers can only be chosen among values that have an order."""
    reasons = []
    for measure in measures:
        inner = called(measure.value.tree)
        name = function_name(inner)
        ties = facts_of(name).ties
        kinds = [expression_type(argument, types) for argument in arguments(inner)]
        joins_bytes = ties is Ties.LISTED and is_distinct(inner) and kinds[0] is Simple.BINARY
        compares = ties is not None and ties.compares_values
        if joins_bytes or (compares and not all(has_order(kind) for kind in kinds)):
            position = position_of(inner, session.text)
            reasons.append(reason("order_sensitive_aggregate", position, what=f"{name}() of values without an order"))
    if reasons:
        raise Unsupported(reasons)


def _shows_order(node: exp.Expr) -> bool:
    within = isinstance(node.parent, exp.WithinGroup)
    return facts_of(function_name(node)).shows_order and not within


def _is_ordered(relation: exp.Expr) -> bool:
    """Whether only filters and projections are between the relation and an ORDER BY or SORT BY."""
    query = _query_of(relation)
    if query is None:
        return False
    if any(query.args.get(clause_name) for clause_name in ("order", "sort", "cluster")):
        return True
    clause = query.args.get("from_") if isinstance(query, exp.Select) else None
    passes = clause is not None and not any(
        query.args.get(clause_name) for clause_name in ("group", "distinct", "joins")
    )
    return passes and clause is not None and _is_ordered(clause.this)


def _query_of(relation: exp.Expr) -> Optional[exp.Query]:
    while isinstance(relation, (exp.Subquery, exp.Paren)):
        relation = relation.this
    if isinstance(relation, exp.Query):
        return relation
    return _cte(relation) if isinstance(relation, exp.Table) and not relation.db else None


def _cte(table: exp.Table) -> Optional[exp.Query]:
    """The query of the CTE with this name, if there is one."""
    node: Optional[exp.Expr] = table
    while node is not None:
        clause = node.args.get("with_")
        for cte in clause.expressions if clause is not None else ():
            if cte.alias.lower() == table.name.lower() and table.find_ancestor(exp.CTE) is not cte:
                query = cte.this
                return query if isinstance(query, exp.Query) else None
        node = node.parent
    return None
