"""The aggregate calls of a grouping, and the states from which each can be maintained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from trickle.aggregates.maintain import maintain
from trickle.aggregates.maintained import Maintained, State
from trickle.operators import Aggregate, Distinct
from trickle.options import FloatSums
from trickle.plan.hidden_columns import HIDDEN
from trickle.plan.make_deterministic import made_deterministic
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar


@dataclass(frozen=True)
class Measure:
    """An aggregate call of a grouping and its algebraic form, if it has one."""

    name: str
    call: Scalar
    maintained: Optional[Maintained]

    def state_name(self, state: State) -> str:
        return f"{HIDDEN}{self.name}_{state.suffix}"


def measured(aggregate: Aggregate, floats: FloatSums) -> tuple[Measure, ...]:
    """The calls of a grouping with their algebraic forms."""
    types = {column.name: column.type for column in aggregate.child.schema}
    return tuple(
        Measure(item.name, item.value, maintain(made_deterministic(item.value.tree), types, floats))
        for item in aggregate.measures
    )


def grouping_of(base: Op) -> Optional[Aggregate]:
    """A grouping, or a DISTINCT as the grouping without aggregates that it is."""
    match base:
        case Aggregate():
            return base
        case Distinct():
            return Aggregate(base.child, tuple(Named(name, column_scalar(name)) for name in base.schema.names), ())
        case _:
            return None
