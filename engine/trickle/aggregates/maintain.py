"""maintain: the states of an aggregate call, where it has them.

A new aggregate with states is one file in this package and its name in STATEFUL.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Optional

from sqlglot import exp

from trickle.aggregates.avg import AVG
from trickle.aggregates.count import COUNT
from trickle.aggregates.maintained import Maintained
from trickle.aggregates.min_max import MIN_MAX
from trickle.aggregates.stateful import AggregateCall
from trickle.aggregates.sum import SUM
from trickle.options import FloatSums
from trickle.plan.expression_types import expression_type
from trickle.sql.text import function_name
from trickle.types import UNKNOWN

STATEFUL = (COUNT, SUM, AVG, MIN_MAX)
BY_FUNCTION = {name: form for form in STATEFUL for name in form.functions}


def maintain(call: exp.Expr, types: Mapping[str, str], floats: FloatSums = FloatSums.EXACT) -> Optional[Maintained]:
    """The states of a call over typed columns, and its value from them; None: its group is recomputed."""
    condition: Optional[exp.Expr] = None
    if isinstance(call, exp.Filter):
        condition = call.expression.this
        call = call.this
    form = BY_FUNCTION.get(function_name(call))
    if form is None:
        return None
    argument_type = expression_type(call.this, types) if isinstance(call.this, exp.Expr) else UNKNOWN
    return form.maintain(AggregateCall(call, condition, argument_type, expression_type(call, types), floats))
