"""Which columns an expression needs: where one of them is NULL, it is NULL, and no condition of it holds."""

from __future__ import annotations

from sqlglot import exp

from trickle.plan.scalar import Scalar

_STRICT = (
    *(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like),
    *(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Paren),
)
"""What is NULL where one of its operands is."""


def columns_never_null(condition: Scalar) -> frozenset[str]:
    """Columns of which none is NULL where the condition holds."""
    return frozenset(name for part in condition.parts for name in _required(part.tree))


def _required(part: exp.Expr) -> frozenset[str]:
    match part:
        case exp.Paren():
            return _required(part.this)
        case exp.Not(this=exp.Is(this=value, expression=exp.Null())):
            return strict_in(value)
        case exp.Not():
            return strict_in(part.this)
        case exp.Between():
            return _strict_in_any(part)
        case _:
            return strict_in(part)


def strict_in(tree: exp.Expr) -> frozenset[str]:
    """Columns that make the expression NULL where one of them is."""
    match tree:
        case exp.Column():
            return frozenset({tree.name})
        case exp.Cast() | exp.TryCast():
            return strict_in(tree.this)
        case exp.Between():
            # 0 BETWEEN 1 AND NULL is false.
            return strict_in(tree.this)
        case exp.In() if tree.args.get("query") is None and tree.args.get("unnest") is None:
            return strict_in(tree.this)
        case _ if isinstance(tree, _STRICT):
            return _strict_in_any(tree)
        case _:
            return frozenset()


def _strict_in_any(tree: exp.Expr) -> frozenset[str]:
    operands = (value for value in tree.args.values() if isinstance(value, exp.Expr))
    return frozenset(name for operand in operands for name in strict_in(operand))
