"""split_padding: groups over an outer join that only count and add up its right side read a union instead.

The change of the union is that of a join and of its left rows. An outer join's own change asks of each left row that it
meets whether there is a match, now and before.
"""

from __future__ import annotations

from sqlglot import exp

from trickle.operators import Aggregate, Join, OuterJoin, Project, UnionAll
from trickle.plan.null_rejection import strict_in
from trickle.plan.op import Op, rewrite_bottom_up
from trickle.plan.scalar import Named, Scalar

_IGNORE_NULL = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)
"""Calls with one argument whose value a row does not change in which the argument is NULL."""


def split_padding(root: Op) -> Op:
    """γ[l; COUNT(r)](L ⟕ R)  →  γ[l; COUNT(r)](pad(L) ⊎ L ⋈ R), where r is NULL in a padded row."""
    return rewrite_bottom_up(root, _split)


def _split(op: Op) -> Op:
    if not isinstance(op, Aggregate):
        return op
    below = op.child.child if isinstance(op.child, Project) else op.child
    if not isinstance(below, OuterJoin) or below.full:
        return op
    items = {item.name: item.value for item in op.child.items} if isinstance(op.child, Project) else None
    keys, measures = _over(op.keys, items), _over(op.measures, items)
    left, right = frozenset(below.left.schema.names), frozenset(below.right.schema.names)
    # Every left row is in the union once more: what it adds to must not notice.
    if not all(key.columns <= left for key in keys) or not all(_ignores_padding(call.tree, right) for call in measures):
        return op
    pairs = Join(below.left, below.right, below.condition)
    union = UnionAll((below.padded(below.left), pairs))
    return op.rebuild([op.child.rebuild([union]) if isinstance(op.child, Project) else union])


def _over(named: tuple[Named, ...], items: dict[str, Scalar] | None) -> list[Scalar]:
    return [item.value if items is None else item.value.over(items) for item in named]


def _ignores_padding(call: exp.Expr, right: frozenset[str]) -> bool:
    if not isinstance(call, _IGNORE_NULL) or call.args.get("expressions"):
        return False
    values = call.this.expressions if isinstance(call.this, exp.Distinct) else [call.this]
    return len(values) == 1 and bool(strict_in(values[0]) & right)
