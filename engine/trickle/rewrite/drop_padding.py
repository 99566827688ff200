"""drop_padding: an outer join is a join where a condition above takes away the rows that it would pad with NULLs.

A correlated subquery is an outer join (`x < (SELECT AVG(y) …)`), and comparing its NULL never holds. The change of a
join is two terms; that of an outer join asks of each row it meets whether there is a match, now and before.
"""

from __future__ import annotations

from sqlglot import exp

from trickle.operators import Filter, Join, OuterJoin, Project, SemiJoin
from trickle.plan.op import Op, rewrite_bottom_up
from trickle.plan.scalar import Scalar

_STRICT = (
    *(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like),
    *(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Paren, exp.Between),
)
"""What is NULL where one of its operands is."""


def drop_padding(root: Op) -> Op:
    """σ[r > 1](L ⟕ R)  →  σ[r > 1](L ⋈ R), where r is a column of R."""
    return rewrite_bottom_up(root, _below_condition)


def _below_condition(op: Op) -> Op:
    if not isinstance(op, Filter):
        return op
    child = _needed(op.child, _rejects_null(op.condition))
    return op if child is op.child else Filter(child, op.condition)


def _needed(op: Op, present: frozenset[str]) -> Op:
    """The operator where nobody needs a row in which one of these columns is NULL."""
    if not present:
        return op
    match op:
        case Filter():
            children: tuple[Op, ...] = (_needed(op.child, present | _rejects_null(op.condition)),)
        case Project():
            items = [item.value.tree for item in op.items if item.name in present]
            children = (_needed(op.child, frozenset(name for tree in items for name in _strict(tree))),)
        case Join():
            children = tuple(_needed(side, _of(present, side)) for side in op.children)
        case SemiJoin():
            children = (_needed(op.left, present), op.right)
        case OuterJoin(full=False):
            left = _needed(op.left, _of(present, op.left))
            if _of(present, op.right):
                return Join(left, _needed(op.right, _of(present, op.right)), op.condition)
            children = (left, op.right)
        case _:
            return op
    same = all(new is old for new, old in zip(children, op.children))
    return op if same else op.rebuild(children)


def _of(present: frozenset[str], side: Op) -> frozenset[str]:
    return present & frozenset(side.schema.names)


def _rejects_null(condition: Scalar) -> frozenset[str]:
    """Columns of which none is NULL where the condition holds."""
    return frozenset(name for part in condition.parts for name in _required(part.tree))


def _required(part: exp.Expr) -> frozenset[str]:
    match part:
        case exp.Paren():
            return _required(part.this)
        case exp.Not(this=exp.Is(this=value, expression=exp.Null())):
            return _strict(value)
        case exp.Not():
            return _strict(part.this)
        case _:
            return _strict(part)


def _strict(tree: exp.Expr) -> frozenset[str]:
    """Columns that make the expression NULL where one of them is."""
    match tree:
        case exp.Column():
            return frozenset({tree.name})
        case exp.Cast() | exp.TryCast():
            return _strict(tree.this)
        case exp.In() if tree.args.get("query") is None and tree.args.get("unnest") is None:
            return _strict(tree.this)
        case _ if isinstance(tree, _STRICT):
            operands = (value for value in tree.args.values() if isinstance(value, exp.Expr))
            return frozenset(name for operand in operands for name in _strict(operand))
        case _:
            return frozenset()
