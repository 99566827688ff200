"""part_conditions: gives each condition on the clock its own filter, so that only its bound matters as time passes."""

from __future__ import annotations

from sqlglot import exp

from trickle.operators import Filter
from trickle.plan.clock import clock_calls
from trickle.plan.op import Op, rewrite_bottom_up
from trickle.plan.scalar import Scalar
from trickle.sql.build import all_of, conjuncts, operand


def part_conditions(root: Op) -> Op:
    """WHERE a AND t BETWEEN now − 7 AND now  →  a, then t >= now − 7, then t <= now: three filters in a row.

    Conditions without clock calls stay together.
    """
    return rewrite_bottom_up(root, lambda op: _split_clock_conditions(op) if isinstance(op, Filter) else op)


def _split_clock_conditions(op: Filter) -> Op:
    parts = [piece for part in conjuncts(op.condition.tree) for piece in _comparisons(part)]
    timed = [part for part in parts if clock_calls(part)]
    if not timed or len(parts) == 1:
        return op
    plain = all_of(part.copy() for part in parts if not clock_calls(part))
    below = op.child if plain is None else Filter(op.child, Scalar(plain))
    for part in timed:
        below = Filter(below, Scalar(part.copy()))
    return below


def _comparisons(part: exp.Expr) -> list[exp.Expr]:
    """The two comparisons of a BETWEEN with clock calls; any other condition as it is."""
    if not isinstance(part, exp.Between) or not clock_calls(part):
        return [part]
    value = operand(part.this.copy())
    return [
        exp.GTE(this=value, expression=operand(part.args["low"].copy())),
        exp.LTE(this=value.copy(), expression=operand(part.args["high"].copy())),
    ]
