"""COUNT(*), COUNT(x), COUNT_IF(p), each with FILTER: the number of rows that count."""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintained import Maintained, both, counted
from trickle.sql.build import not_null


def maintain_count(call: exp.Expr, condition: Optional[exp.Expr]) -> Optional[Maintained]:
    """Σ weight over the rows that count. Not for DISTINCT, nor for several arguments."""
    match call:
        case exp.Count(this=exp.Star()):
            counts = condition
        case exp.Count() if (
            not call.expressions and isinstance(call.this, exp.Expr) and not isinstance(call.this, exp.Distinct)
        ):
            counts = both(not_null(call.this.copy()), condition)
        case exp.CountIf() if not isinstance(call.this, exp.Distinct):
            counts = both(call.this.copy(), condition)
        case _:
            return None
    return Maintained((counted(counts),), lambda states: states[0])
