"""STRUCT(x, y) and (x, y): fields take the names of columns, so they are written down before columns get other names.

STRUCT(x, t.y, x + 1) → NAMED_STRUCT('x', x, 'y', t.y, 'col3', x + 1)
"""

from __future__ import annotations

from sqlglot import exp

from trickle.lower.names.scope import Scope
from trickle.lower.names.stars import Place, bound, columns_of_star, is_star
from trickle.sql.build import call, string
from trickle.sql.text import function_name

COMPARING = (exp.In, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ)
"""Rows beside one of these are compared value by value, whatever their fields are called."""
LISTING = (exp.Tuple, exp.Any, exp.All)
"""Parentheses in one of these hold a list, as in LIKE ANY ('a%', 'b%')."""


def with_field_names(tree: exp.Expr, scope: Scope, place: Place) -> exp.Expr:
    """The tree, which nobody else owns, with every field of every struct named."""
    return tree.transform(lambda node: _named(node, scope, place), copy=False)


def _named(node: exp.Expr, scope: Scope, place: Place) -> exp.Expr:
    if not _makes_one(node) or node.find_ancestor(exp.Query) is not None:
        # What stands in a subquery is named when that is bound, among its own columns.
        return node
    parts = [part for one in node.expressions for part in _starred(one, scope, place)]
    pairs = [(_field_name(part, number), part.unalias()) for number, part in enumerate(parts, 1)]
    return call("NAMED_STRUCT", *(one for name, part in pairs for one in (string(name), part)))


def _makes_one(node: exp.Expr) -> bool:
    around = node.parent
    while isinstance(around, exp.Paren):
        around = around.parent
    if isinstance(node, exp.Tuple):
        return not isinstance(around, (*COMPARING, *LISTING))
    # STRUCT(x, y) IN (SELECT …) compares two columns, as (x, y) does.
    asked = isinstance(around, exp.In) and around.args.get("query") is not None
    return function_name(node) == "struct" and not asked


def _starred(part: exp.Expr, scope: Scope, place: Place) -> list[exp.Expr]:
    """STRUCT(*) has all columns there are."""
    if not is_star(part):
        return [part]
    return [
        exp.Alias(this=bound(one), alias=exp.to_identifier(one.name, quoted=True))
        for one in columns_of_star(part, scope, place(part))
    ]


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
