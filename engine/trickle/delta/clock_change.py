"""clock_change: the change of an operator's rows when only the clock advances, and its input stays."""

from __future__ import annotations

from sqlglot import exp

from trickle.operators import ClockDelta, Filter, Negate, Project, UnionAll
from trickle.plan.comparable import same_value
from trickle.plan.expression_types import expression_type
from trickle.plan.op import Op
from trickle.plan.scalar import Scalar
from trickle.types import is_known


def clock_change(earlier: Op, later: Op) -> Op:
    """op′(R) − op(R). Of a filter and a projection only the rows that differ."""
    match earlier, later:
        case Filter(), Filter():
            return ClockDelta(later.child, earlier.condition, later.condition)
        case Project(), Project() if (differs := _differs(earlier, later)) is not None:
            rows = Filter(later.child, differs)
            return UnionAll((Negate(earlier.rebuild((rows,))), later.rebuild((rows,))))
        case _:
            return UnionAll((Negate(earlier), later))


def _differs(earlier: Project, later: Project) -> Scalar | None:
    """The condition of rows whose values differ now; None where values cannot be compared."""
    types = {own.name: own.type for own in later.child.schema}
    parts: list[exp.Expr] = []
    for old, new in zip(earlier.items, later.items):
        if old.value == new.value:
            continue
        kind = expression_type(new.value.tree, types)
        if not is_known(kind):
            return None
        parts.append(exp.Not(this=exp.Paren(this=same_value(old.value.tree_copy(), new.value.tree_copy(), kind))))
    whole = parts[0]
    for part in parts[1:]:
        whole = exp.Or(this=whole, expression=part)
    return Scalar(whole)
