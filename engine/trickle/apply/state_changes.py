"""Δstate: what the states of stored groups gain and lose by a change of their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from trickle.operators import Accumulate
from trickle.plan.hidden_columns import ROWS
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.schema import WEIGHT
from trickle.sql.build import column

if TYPE_CHECKING:
    from trickle.layouts.groups import Groups


def changes_of_state(delta: Op, layout: Groups) -> Accumulate:
    """Δstate: per touched group the summed weights, and what each state gains or loses."""
    rows = Named(ROWS, Scalar(exp.Sum(this=column(WEIGHT))))
    states = tuple(Named(name, Scalar(state.change)) for name, state in layout.states)
    return Accumulate(delta, layout.aggregate.keys, (rows, *states), not layout.only_for_inserts)
