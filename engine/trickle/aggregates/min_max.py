"""MIN and MAX: an inserted row can only move the extreme outwards; a removed one may need the group read again."""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintained import Combine, Maintained, State
from trickle.plan.kinds import cannot_be_stored
from trickle.sql.build import case


def maintain_min_max(call: exp.Expr, argument_type: str, condition: Optional[exp.Expr]) -> Optional[Maintained]:
    """Stored extreme ⊓ extreme of the inserted rows. LEAST and GREATEST skip NULL, as MIN and MAX do."""
    if not isinstance(call, (exp.Min, exp.Max)) or isinstance(call.this, exp.Distinct) or call.expressions:
        return None
    if cannot_be_stored(argument_type):
        return None
    combine = Combine.LEAST if isinstance(call, exp.Min) else Combine.GREATEST
    argument = call.this.copy() if condition is None else case(condition.copy(), call.this.copy(), exp.Null())
    extreme = type(call)(this=argument)
    return Maintained((State("extreme", extreme, extreme.copy(), combine),), lambda states: states[0])
