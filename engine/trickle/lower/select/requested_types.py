"""Types that only Spark knows: those of the columns of a set operation, which is a question about a query."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Optional

from sqlglot import exp

from trickle.lower.session import Session
from trickle.plan.clock import clock_call_of
from trickle.sql.build import cast, subquery, with_ctes
from trickle.sql.text import to_text
from trickle.types import normal, type_text

Types = tuple[str, ...]


def types_of(tree: exp.SetOperation, session: Session) -> Optional[Types]:
    """The types of its columns as Spark has them; None where there is no Spark, or where they are still to be asked.

    A query that names columns of the query around it cannot be asked about by itself, and neither can one in a view,
    whose names are resolved in another schema.
    """
    if session.outer is not None or session.inside:
        return None
    output, types = session.facts.output, session.facts.types
    if tree.parent is None and output:
        return tuple(column.type for column in output)
    names = [cte.alias.lower() for cte in _ctes(tree)]
    if types is None or len(names) > len(set(names)):
        return None
    query = to_text(_alone(tree), pretty=False)
    if query not in types:
        session.unknown_types[query] = None
        return None
    return tuple(normal(kind) for kind in types[query])


def _alone(tree: exp.SetOperation) -> exp.Query:
    """The branches under the CTEs that are visible there, each call of the clock replaced by a value of its type."""
    branches = tree.copy()
    for name in ("with_", "order", "limit", "offset"):
        branches.set(name, None)
    everything = exp.Select(expressions=[exp.Star()]).from_(subquery(branches, "branches"), copy=False)
    query = with_ctes(everything, [cte.copy() for cte in _ctes(tree)])
    for node in list(query.find_all(exp.Anonymous)):
        if (reading := clock_call_of(node)) is not None:
            node.replace(cast(exp.Null(), type_text(reading.type)))
    return query


def _ctes(tree: exp.Expr) -> list[exp.CTE]:
    """The visible CTEs, outermost first; of the WITH around the tree itself, those before it."""
    return [cte for clause in reversed(list(_visible(tree))) for cte in clause]


def _visible(tree: exp.Expr) -> Iterator[list[exp.CTE]]:
    inside: exp.Expr = tree
    node: Optional[exp.Expr] = tree
    while node is not None:
        clause = node.args.get("with_") if isinstance(node, (exp.Query, exp.Subquery)) else None
        if clause is not None:
            ctes = list(clause.expressions)
            yield ctes[: next((index for index, cte in enumerate(ctes) if cte is inside), len(ctes))]
        if isinstance(node, exp.CTE):
            inside = node
        node = node.parent
