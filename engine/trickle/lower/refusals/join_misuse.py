"""Joins that Spark does not accept, recognized by their syntax."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

Misuse = tuple[exp.Expr, str, str]

_FOREIGN = frozenset({"ASOF", "POSITIONAL", "STRAIGHT_JOIN", "GLOBAL"})


def misjoined(node: exp.Join) -> Iterator[Misuse]:
    """The errors of a join, except those of its condition."""
    words = " ".join(part for part in (node.method, node.side, node.kind) if part)
    if node.method in _FOREIGN or node.kind in _FOREIGN:
        yield node, f"Spark has no {words} JOIN", "Join on a condition that says which rows belong together."
    elif node.kind == "OUTER" and not node.side:
        yield node, "Spark takes OUTER alone for an alias", "Write LEFT, RIGHT or FULL OUTER JOIN."
    elif node.side == "RIGHT" and node.kind in ("SEMI", "ANTI"):
        yield node, f"Spark has no {words} JOIN", "Exchange the sides, and write LEFT."
    elif node.method == "NATURAL" and node.kind in ("CROSS", "SEMI", "ANTI"):
        yield node, f"Spark has no {words} JOIN", "Name the columns with USING."
    if isinstance(node.this, exp.Lateral):
        yield from _lateral(node, words)


def _lateral(node: exp.Join, words: str) -> Iterator[Misuse]:
    if node.side in ("RIGHT", "FULL") or node.kind in ("SEMI", "ANTI"):
        yield node, f"Spark has no {words} JOIN LATERAL: a lateral side has no rows of its own", "Use LEFT or INNER."
    if node.method == "NATURAL":
        yield node, "Spark has no NATURAL JOIN LATERAL", "Put the condition into the subquery."
    if node.args.get("using"):
        yield node, "JOIN LATERAL takes no USING", "Write the condition with ON, or put it into the subquery."
    on = node.args.get("on")
    if on is not None and any(_is_membership(part) for part in on.walk()):
        yield on, "the ON of a LATERAL join cannot ask IN or EXISTS of a subquery", "Put the condition into WHERE."


def _is_membership(node: exp.Expr) -> bool:
    return isinstance(node, exp.Exists) or (isinstance(node, exp.In) and node.args.get("query") is not None)
