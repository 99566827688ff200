"""maintain: which of the algebraic forms an aggregate call has, if any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Optional

from sqlglot import exp

from trickle.aggregates.avg import maintain_avg
from trickle.aggregates.count import maintain_count
from trickle.aggregates.maintained import Maintained
from trickle.aggregates.min_max import maintain_min_max
from trickle.aggregates.sum import maintain_sum
from trickle.options import FloatSums
from trickle.plan.types import type_of


def maintain(call: exp.Expr, types: Mapping[str, str], floats: FloatSums = FloatSums.EXACT) -> Optional[Maintained]:
    """The algebraic form of a call over typed columns; None: its group is recomputed."""
    condition: Optional[exp.Expr] = None
    if isinstance(call, exp.Filter):
        condition = call.expression.this
        call = call.this
    argument_type = type_of(call.this, types) if isinstance(call.this, exp.Expr) else ""
    return (
        maintain_count(call, condition)
        or maintain_sum(call, argument_type, type_of(call, types), condition, floats)
        or maintain_avg(call, argument_type, condition, floats)
        or maintain_min_max(call, argument_type, condition)
    )
