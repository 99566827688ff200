"""COUNT(*), COUNT(x), COUNT_IF(p), each with FILTER: the number of rows that count."""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintained import Maintained, both, counted
from trickle.aggregates.stateful import AggregateCall, Stateful
from trickle.sql.build import not_null


def maintain_count(call: AggregateCall) -> Optional[Maintained]:
    """Σ weight over the rows that count. Not for DISTINCT, nor for several arguments."""
    match call.tree:
        case exp.Count(this=exp.Star()):
            counts = call.condition
        case exp.Count() if (
            not call.tree.expressions
            and isinstance(call.tree.this, exp.Expr)
            and not isinstance(call.tree.this, exp.Distinct)
        ):
            counts = both(not_null(call.tree.this.copy()), call.condition)
        case exp.CountIf() if not isinstance(call.tree.this, exp.Distinct):
            counts = both(call.tree.this.copy(), call.condition)
        case _:
            return None
    return Maintained((counted(counts),), lambda states: states[0])


COUNT = Stateful(
    functions=("count", "count_if"),
    calls="COUNT(*), COUNT(x), COUNT_IF(p)",
    states="the count",
    removal="subtracted",
    maintain=maintain_count,
)
