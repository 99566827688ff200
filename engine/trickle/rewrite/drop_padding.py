"""drop_padding: an outer join is a join where a condition above takes away the rows that it would pad with NULLs.

A correlated subquery is an outer join (`x < (SELECT AVG(y) …)`), and comparing its NULL never holds. The change of a
join is two terms; that of an outer join asks of each row it meets whether there is a match, now and before.
"""

from __future__ import annotations

from trickle.operators import Filter, Join, OuterJoin, Project, SemiJoin
from trickle.plan.null_rejection import columns_never_null, strict_in
from trickle.plan.op import Op, rewrite_bottom_up


def drop_padding(root: Op) -> Op:
    """σ[r > 1](L ⟕ R)  →  σ[r > 1](L ⋈ R), where r is a column of R."""
    return rewrite_bottom_up(root, _below_condition)


def _below_condition(op: Op) -> Op:
    if not isinstance(op, Filter):
        return op
    child = _needed(op.child, columns_never_null(op.condition))
    return op if child is op.child else Filter(child, op.condition)


def _needed(op: Op, present: frozenset[str]) -> Op:
    """The operator where nobody needs a row in which one of these columns is NULL."""
    if not present:
        return op
    match op:
        case Filter():
            children: tuple[Op, ...] = (_needed(op.child, present | columns_never_null(op.condition)),)
        case Project():
            items = [item.value.tree for item in op.items if item.name in present]
            children = (_needed(op.child, frozenset(name for tree in items for name in strict_in(tree))),)
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
