"""Δstate: what the states of stored groups gain and lose by a change of their rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional

from sqlglot import exp

from trickle.apply.price import Estimate
from trickle.apply.strategy import StrategyInput
from trickle.operators import Accumulate
from trickle.plan.hidden_columns import ROWS
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.schema import WEIGHT
from trickle.sql.build import column

if TYPE_CHECKING:
    from trickle.layouts.groups import Groups


@dataclass(frozen=True)
class StateChanges:
    """The plan of Δstate, and its work."""

    plan: Accumulate
    work: Estimate


def state_changes(given: StrategyInput, layout: Groups) -> Optional[StateChanges]:
    """None where some state cannot take the change."""
    if not layout.takes(given.only_adds):
        return None
    plan = changes_of_state(given.delta, layout)
    return StateChanges(plan, given.estimate(plan))


def changes_of_state(delta: Op, layout: Groups) -> Accumulate:
    """Δstate: per touched group the summed weights, and what each state gains or loses."""
    rows = Named(ROWS, Scalar(exp.Sum(this=column(WEIGHT))))
    states = tuple(Named(name, Scalar(state.change)) for name, state in layout.states)
    return Accumulate(delta, layout.aggregate.keys, (rows, *states), not layout.only_for_inserts)
