"""Constant whole numbers: in LIMIT, OFFSET and range()."""

from __future__ import annotations

from typing import Optional

from sqlglot import exp


def whole_number(tree: exp.Expr) -> Optional[int]:
    """The value of a literal, or a sum, difference or product of literals; None for anything else."""
    match tree:
        case exp.Literal(is_string=False) if str(tree.this).isdigit():
            return int(str(tree.this))
        case exp.Paren():
            return whole_number(tree.this)
        case exp.Cast() if tree.to.is_type("int", "bigint"):
            return whole_number(tree.this)
        case exp.Neg():
            number = whole_number(tree.this)
            return None if number is None else -number
        case exp.Add() | exp.Sub() | exp.Mul():
            left, right = whole_number(tree.left), whole_number(tree.right)
            if left is None or right is None:
                return None
            if isinstance(tree, exp.Mul):
                return left * right
            return left + right if isinstance(tree, exp.Add) else left - right
        case _:
            return None
