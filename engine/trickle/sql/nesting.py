"""How deep a query is nested, with each CTE counted where it is read."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

COSTLY: Mapping[type[exp.Expr], int] = {exp.Join: 2, exp.Except: 5, exp.Intersect: 5, exp.Exists: 6}
"""Nodes that count for several levels, because the delta of such a node is nested deeper than the node."""


def nesting(tree: exp.Expr) -> int:
    """The longest path from the query down to a leaf, through its CTEs: a chain of 90 ORs has depth 90.

    Joins are siblings in the text and nested in a plan, so all joins of a SELECT count.
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
    """All nodes in post-order, with WITH before the query that reads it."""
    ordered: list[exp.Expr] = []
    pending = [(tree, False)]
    while pending:
        node, entered = pending.pop()
        if entered:
            ordered.append(node)
            continue
        pending.append((node, True))
        inner = sorted(node.iter_expressions(), key=lambda child: not isinstance(child, exp.With))
        pending += [(child, False) for child in reversed(inner)]
    return ordered
