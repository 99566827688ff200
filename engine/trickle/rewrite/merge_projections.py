"""merge_projections: merges two projections in a row, unless an expression would be computed twice."""

from __future__ import annotations

from collections import Counter

from sqlglot import exp

from trickle.operators import Project
from trickle.plan.op import Op, rewrite_bottom_up
from trickle.plan.scalar import Named


def merge_projections(root: Op) -> Op:
    """SELECT a + 1 FROM (SELECT x AS a FROM t)  →  SELECT x + 1 FROM t

    Refused when a computed column of the inner projection is used more than once.
    """
    return rewrite_bottom_up(root, _merge)


def _merge(op: Op) -> Op:
    match op:
        case Project(child=Project() as inner) if _each_once(op, inner):
            values = {item.name: item.value for item in inner.items}
            # Again: an expression used twice through the inner projection may now be used once.
            return _merge(Project(inner.child, tuple(Named(item.name, item.value.over(values)) for item in op.items)))
        case _:
            return op


def _each_once(outer: Project, inner: Project) -> bool:
    used = Counter(node.name for item in outer.items for node in item.value.tree.find_all(exp.Column))
    computed = {item.name for item in inner.items if item.value.column_name is None and item.value.columns}
    return all(used[name] <= 1 for name in computed)
