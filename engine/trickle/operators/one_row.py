"""A single row that a condition compares every row with, such as a total, and the rows affected when it changes."""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.operators.aggregate import Aggregate
from trickle.operators.join import Join
from trickle.operators.project import Project
from trickle.operators.touched_keys import TouchedKeys
from trickle.plan.change import Change
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.sql.build import column, integer, substitute

BEFORE, AFTER = "__trickle_before_", "__trickle_after_"


def has_exactly_one_row(op: Op) -> bool:
    """Whether a plan always has exactly one row, as a grouping without keys does."""
    match op:
        case Aggregate(keys=()):
            return True
        case Project():
            return has_exactly_one_row(op.child)
        case Join(condition=None):
            return has_exactly_one_row(op.left) and has_exactly_one_row(op.right)
        case _:
            return False


def before_and_after(row: Change) -> tuple[Op, Op]:
    """The row before and after in one row, and touched keys that are empty where the row did not change."""
    pair = Join(_renamed(row.before, BEFORE), _renamed(row.after, AFTER), None)
    return pair, TouchedKeys(row.delta, (Named("any_row", Scalar(integer(1))),))


def changed_matches(condition: Optional[Scalar], row: Op) -> tuple[Scalar, Scalar]:
    """Two conditions over both rows: (held before and not now, holds now and not before)."""
    tree = exp.true() if condition is None else condition.tree
    old, new = (_over(tree, row, prefix) for prefix in (BEFORE, AFTER))
    return Scalar(_and_not(old, new)), Scalar(_and_not(new, old))


def _and_not(holds: exp.Expr, other: exp.Expr) -> exp.Expr:
    """holds AND NOT other, where an UNKNOWN `other` counts as FALSE."""
    known = exp.Coalesce(this=other.copy(), expressions=[exp.false()])
    return exp.And(this=exp.Paren(this=holds.copy()), expression=exp.Not(this=known))


def _over(tree: exp.Expr, row: Op, prefix: str) -> exp.Expr:
    names = {node.name for node in tree.find_all(exp.Column)}
    return substitute(tree, {name: column(prefix + name if name in row.schema else name) for name in names})


def _renamed(row: Op, prefix: str) -> Op:
    return Project(row, tuple(Named(prefix + name, column_scalar(name)) for name in row.schema.names))
