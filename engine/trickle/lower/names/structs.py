"""STRUCT(x, y) and (x, y): fields are named after columns, so they are named before columns get internal names.

STRUCT(x, t.y, x + 1) → NAMED_STRUCT('x', x, 'y', t.y, 'col3', x + 1)
"""

from __future__ import annotations

from sqlglot import exp

from trickle.lower.names.scope import Scope
from trickle.lower.names.stars import PositionOf, bound_column, columns_of_star, is_star
from trickle.sql.build import call, string
from trickle.sql.text import function_name

COMPARING = (exp.In, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ)
"""Operators that compare rows value by value, whatever their field names."""
LISTING = (exp.Tuple, exp.Any, exp.All)
"""Nodes whose parentheses contain a list, as in LIKE ANY ('a%', 'b%')."""


def with_field_names(tree: exp.Expr, scope: Scope, position: PositionOf) -> exp.Expr:
    """The tree, which has no other owner, with every field of every struct named."""
    return tree.transform(lambda node: _named(node, scope, position), copy=False)


def _named(node: exp.Expr, scope: Scope, position: PositionOf) -> exp.Expr:
    if not _makes_struct(node) or node.find_ancestor(exp.Query) is not None:
        # Structs in a subquery are named when it is bound, over its own columns.
        return node
    parts = [part for argument in node.expressions for part in _starred(argument, scope, position)]
    pairs = [(_field_name(part, number), part.unalias()) for number, part in enumerate(parts, 1)]
    return call("NAMED_STRUCT", *(argument for name, part in pairs for argument in (string(name), part)))


def _makes_struct(node: exp.Expr) -> bool:
    around = node.parent
    while isinstance(around, exp.Paren):
        around = around.parent
    if isinstance(node, exp.Tuple):
        return not isinstance(around, (*COMPARING, *LISTING))
    # STRUCT(x, y) IN (SELECT …) compares two columns, as (x, y) does.
    is_membership = isinstance(around, exp.In) and around.args.get("query") is not None
    return function_name(node) == "struct" and not is_membership


def _starred(part: exp.Expr, scope: Scope, position: PositionOf) -> list[exp.Expr]:
    """The columns of STRUCT(*); any other argument as it is."""
    if not is_star(part):
        return [part]
    return [
        exp.Alias(this=bound_column(visible), alias=exp.to_identifier(visible.name, quoted=True))
        for visible in columns_of_star(part, scope, position(part))
    ]


def _field_name(part: exp.Expr, number: int) -> str:
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
            return f"col{number}"
