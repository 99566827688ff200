"""How deep a query is nested, CTEs taken for what they stand for."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

COSTLY: Mapping[type[exp.Expr], int] = {exp.Join: 2, exp.Except: 5, exp.Intersect: 5, exp.Exists: 6}
"""Parts that count for several, because their change has more of them than they have themselves."""


def nesting(tree: exp.Expr) -> int:
    """The longest way from the query down to a leaf, through the names of its CTEs: a chain of 90 ORs is 90 deep.

    Joins stand beside each other in the text and above each other in a plan, so all of a SELECT count.
    """
    depths: dict[int, int] = {}
    named: dict[str, int] = {}
    for node in _children_first(tree):
        below = [depths[id(child)] for child in node.iter_expressions()]
        if isinstance(node, exp.Table) and not node.args.get("db"):
            below.append(named.get(node.name.lower(), 0))
        joins = len(node.args.get("joins") or ()) * COSTLY[exp.Join]
        depths[id(node)] = COSTLY.get(type(node), 1) + max(below, default=0) + joins
        if isinstance(node, exp.CTE):
            named[node.alias.lower()] = depths[id(node)]
    return depths[id(tree)]


def _children_first(tree: exp.Expr) -> list[exp.Expr]:
    """In the order of the text, except that WITH comes before what reads it."""
    found: list[exp.Expr] = []
    waiting = [(tree, False)]
    while waiting:
        node, entered = waiting.pop()
        if entered:
            found.append(node)
            continue
        waiting.append((node, True))
        inner = sorted(node.iter_expressions(), key=lambda child: not isinstance(child, exp.With))
        waiting += [(child, False) for child in reversed(inner)]
    return found
