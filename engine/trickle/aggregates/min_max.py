"""MIN and MAX: an inserted row can only move the extreme outwards; a removed one may need the group read again."""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintained import Combine, Maintained, State
from trickle.aggregates.stateful import AggregateCall, Stateful
from trickle.sql.build import case
from trickle.types import can_be_stored


def maintain_min_max(call: AggregateCall) -> Optional[Maintained]:
    """Stored extreme ⊓ extreme of the inserted rows. LEAST and GREATEST skip NULL, as MIN and MAX do."""
    tree = call.tree
    if not isinstance(tree, (exp.Min, exp.Max)) or isinstance(tree.this, exp.Distinct) or tree.expressions:
        return None
    if not can_be_stored(call.argument_type):
        return None
    combine = Combine.LEAST if isinstance(tree, exp.Min) else Combine.GREATEST
    argument = tree.this.copy() if call.condition is None else case(call.condition.copy(), tree.this.copy(), exp.Null())
    extreme = type(tree)(this=argument)
    return Maintained((State("extreme", extreme, extreme.copy(), combine),), lambda states: states[0])


MIN_MAX = Stateful(
    functions=("min", "max"),
    calls="MIN, MAX; FIRST, LAST and ANY_VALUE, which are answered by them",
    states="the extreme",
    removal="the touched groups are read again",
    maintain=maintain_min_max,
)
