"""STRUCT(x, y) and (x, y): fields take the names of columns, so they are written down before columns get other names.

STRUCT(x, t.y, x + 1) → NAMED_STRUCT('x', x, 'y', t.y, 'col3', x + 1)
"""

from __future__ import annotations

from sqlglot import exp

from trickle.lower.scope import Scope
from trickle.sql.build import call, column, string
from trickle.sql.text import function_name

COMPARING = (exp.In, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ)
"""Rows beside one of these are compared value by value, whatever their fields are called."""


def with_field_names(tree: exp.Expr, scope: Scope) -> exp.Expr:
    """The tree, which nobody else owns, with every field of every struct named."""
    return tree.transform(lambda node: _named(node, scope), copy=False)


def _named(node: exp.Expr, scope: Scope) -> exp.Expr:
    makes_one = function_name(node) == "struct" or (isinstance(node, exp.Tuple) and not _is_compared(node))
    if not makes_one:
        return node
    parts = [part for one in node.expressions for part in _starred(one, scope)]
    pairs = [(_field_name(part, place), part.unalias()) for place, part in enumerate(parts, 1)]
    return call("NAMED_STRUCT", *(one for name, part in pairs for one in (string(name), part)))


def _is_compared(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return isinstance(parent, (*COMPARING, exp.Tuple))


def _starred(part: exp.Expr, scope: Scope) -> list[exp.Expr]:
    """STRUCT(*) has all columns there are."""
    if not isinstance(part, exp.Star) or part.args.get("except_") or part.args.get("replace"):
        return [part]
    found: list[exp.Expr] = []
    for one in scope.star((), None):
        own = column(one.internal)
        own.meta["trickle_bound"] = True
        found.append(exp.Alias(this=own, alias=exp.to_identifier(one.name, quoted=True)))
    return found


def _field_name(part: exp.Expr, place: int) -> str:
    match part:
        case exp.Alias():
            return str(part.alias)
        case exp.Column():
            return str(part.name)
        case exp.Dot():
            return str(part.expression.name)
        case exp.Bracket() if len(part.expressions) == 1 and part.expressions[0].is_string:
            return str(part.expressions[0].name)
        case _:
            return f"col{place}"
