"""AVG over INT and smaller, and over most decimals: the quotient of two exact states."""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintained import Maintained, both, counted
from trickle.aggregates.stateful import AggregateCall, Stateful
from trickle.aggregates.sum import summed
from trickle.plan.expression_types import LEAST_SCALE
from trickle.sql.build import case, cast, integer, not_null
from trickle.types import MAX_PRECISION, Decimal, Simple, decimal_of, is_fraction, is_integer, type_text

MORE_DIGITS = 4
"""How many digits after the point an average has beside those of its decimals."""
COUNT_DIGITS = 10
"""Digits of the number of rows of a group."""
NARROW = 13
"""Digits up to which the quotient has more digits than any count, so that it rounds once to those of the average."""
WIDE = 24
"""Digits up to which the sum leaves room for those of the average: the quotient has exactly those."""


def maintain_avg(call: AggregateCall) -> Optional[Maintained]:
    """sum ÷ count of non-null x, rounded where Spark rounds.

    AVG(BIGINT) adds up doubles in Spark and so depends on the order of rows beyond 2⁵³: its groups are recomputed.
    Spark divides decimals with 39 digits and rounds the quotient to its type. So the quotient of the states has either
    the digits of the average, or so many more that no count of rows could make it round twice.
    """
    argument, kind = call.tree.this, call.argument_type
    if not isinstance(call.tree, exp.Avg) or isinstance(argument, exp.Distinct) or kind is Simple.BIGINT:
        return None
    whole = is_integer(kind) or is_fraction(kind)
    exact = decimal_of(kind)
    if not whole and (exact is None or not _rounds_once(exact)):
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


def _rounds_once(exact: Decimal) -> bool:
    # No quotient of Spark's has fewer than 6 digits after the point when it has as many digits as a decimal can have.
    return exact.precision <= NARROW or (exact.precision <= WIDE and exact.scale + MORE_DIGITS >= LEAST_SCALE)


def _decimal(states: tuple[exp.Expr, ...], exact: Optional[Decimal]) -> exp.Expr:
    assert exact is not None
    scale = exact.scale + MORE_DIGITS
    if exact.precision <= NARROW:
        dividend = Decimal(exact.precision + COUNT_DIGITS + MORE_DIGITS, scale)
    else:
        # DECIMAL(p, s) ÷ DECIMAL(10, 0) has 38 − (p − s) digits after the point.
        dividend = Decimal(MAX_PRECISION - MORE_DIGITS, exact.scale)
    quotient = _divide(cast(states[0], type_text(dividend)), cast(states[1], type_text(Decimal(COUNT_DIGITS, 0))))
    return cast(quotient, type_text(Decimal(exact.precision + MORE_DIGITS, scale)))


def _divide(dividend: exp.Expr, divisor: exp.Expr) -> exp.Expr:
    # NULLIF: the branch is only taken for a positive count, but an optimizer may evaluate it for others.
    return exp.Div(this=dividend, expression=exp.Nullif(this=divisor, expression=integer(0)), typed=True, safe=False)


AVG = Stateful(
    functions=("avg",),
    calls="AVG of INT and smaller, decimals of up to 13 digits, or up to 24 with 2 or more after the point",
    states="the same two",
    removal="subtracted",
    maintain=maintain_avg,
)
