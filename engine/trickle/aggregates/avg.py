"""AVG over INT and smaller, and over decimals of up to 13 digits: the quotient of two exact states."""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintained import Maintained, both, counted
from trickle.aggregates.stateful import AggregateCall, Stateful
from trickle.aggregates.sum import summed
from trickle.sql.build import case, cast, integer, not_null
from trickle.types import Decimal, Simple, decimal_of, is_fraction, is_integer, type_text

MAX_DIGITS = 13
"""Beyond this the quotient could not carry enough digits to round once, as Spark does."""


def maintain_avg(call: AggregateCall) -> Optional[Maintained]:
    """sum ÷ count of non-null x, rounded where Spark rounds.

    AVG(BIGINT) adds up doubles in Spark and so depends on the order of rows beyond 2⁵³: its groups are recomputed.
    A decimal quotient is computed with more digits than any count has, so rounding it to Spark's scale rounds once.
    """
    argument, kind = call.tree.this, call.argument_type
    if not isinstance(call.tree, exp.Avg) or isinstance(argument, exp.Distinct) or kind is Simple.BIGINT:
        return None
    whole = is_integer(kind) or is_fraction(kind)
    exact = decimal_of(kind)
    if not whole and (exact is None or exact.precision > MAX_DIGITS):
        return None
    total = summed(call)
    if total is None:
        return None
    present = counted(both(not_null(argument.copy()), call.condition))

    def finish(states: tuple[exp.Expr, ...]) -> exp.Expr:
        quotient = _double(states) if whole else _decimal(states, exact)
        return case(exp.GT(this=states[1], expression=integer(0)), quotient, exp.Null())

    return Maintained((total, present), finish)


def _double(states: tuple[exp.Expr, ...]) -> exp.Expr:
    return _divide(cast(states[0], "double"), cast(states[1], "double"))


def _decimal(states: tuple[exp.Expr, ...], exact: Optional[Decimal]) -> exp.Expr:
    assert exact is not None
    dividend = cast(states[0], type_text(Decimal(exact.precision + 14, exact.scale + 4)))
    quotient = _divide(dividend, cast(states[1], "decimal(10,0)"))
    return cast(quotient, type_text(Decimal(exact.precision + 4, exact.scale + 4)))


def _divide(dividend: exp.Expr, divisor: exp.Expr) -> exp.Expr:
    # NULLIF: the branch is only taken for a positive count, but an optimizer may evaluate it for others.
    return exp.Div(this=dividend, expression=exp.Nullif(this=divisor, expression=integer(0)), typed=True, safe=False)


AVG = Stateful(
    functions=("avg",),
    calls="AVG of INT and smaller, decimals of up to 13 digits",
    states="the same two",
    removal="subtracted",
    maintain=maintain_avg,
)
