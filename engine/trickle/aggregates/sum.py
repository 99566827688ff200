"""SUM over whole numbers and decimals: exact, and NULL exactly when nothing non-null is left."""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintained import Maintained, State, both, counted, weight
from trickle.aggregates.stateful import AggregateCall, Stateful
from trickle.options import FloatSums
from trickle.sql.build import case, cast, integer, not_null, product
from trickle.types import MAX_PRECISION, Decimal, Simple, Type, decimal_of, is_fraction, is_integer, type_text

WEIGHT_DIGITS = 10
"""Digits of an INT weight: a product with it must still fit a decimal without giving up scale."""


def summed(call: AggregateCall) -> Optional[State]:
    """The running sum as hidden state, in a type that cannot lose a digit; None when there is no such type.

    FLOAT and DOUBLE are added up only where the model asks for it (`float_sums: fast`).
    """
    wide = _state_types(call.argument_type, call.floats)
    if wide is None:
        return None
    multiplied, stored = (type_text(kind) for kind in wide)
    argument, condition = call.tree.this, call.condition
    term = cast(argument.copy(), multiplied)
    signed = product(term.copy(), weight())
    counts = both(not_null(argument.copy()), condition)
    assert counts is not None
    change = exp.Coalesce(this=exp.Sum(this=case(counts, signed, exp.Null())), expressions=[integer(0)])
    plain = case(condition.copy(), term, exp.Null()) if condition is not None else term
    initial = exp.Coalesce(this=exp.Sum(this=plain), expressions=[integer(0)])
    return State("sum", cast(initial, stored), cast(change, stored))


def maintain_sum(call: AggregateCall) -> Optional[Maintained]:
    """Σ weight·x, and the number of non-null x. NULL ⇔ that number is 0, not ⇔ the sum is 0."""
    if not isinstance(call.tree, exp.Sum) or isinstance(call.tree.this, exp.Distinct):
        return None
    total = summed(call)
    if total is None:
        return None
    present = counted(both(not_null(call.tree.this.copy()), call.condition))
    result = type_text(call.result_type)

    def finish(states: tuple[exp.Expr, ...]) -> exp.Expr:
        value = cast(states[0], result) if result else states[0]
        return case(exp.GT(this=states[1], expression=integer(0)), value, exp.Null())

    return Maintained((total, present), finish)


def _state_types(argument: Type, floats: FloatSums) -> Optional[tuple[Type, Type]]:
    """The type to multiply in, and the type to store: wide enough that neither can lose a digit."""
    if is_fraction(argument):
        return (Simple.DOUBLE, Simple.DOUBLE) if floats is FloatSums.FAST else None
    if argument is Simple.BIGINT:
        return Decimal(20, 0), Decimal(MAX_PRECISION, 0)
    if is_integer(argument):
        return Simple.BIGINT, Simple.BIGINT
    exact = decimal_of(argument)
    if exact is None or exact.precision + WEIGHT_DIGITS + 1 > MAX_PRECISION:
        return None
    return exact, Decimal(min(exact.precision + 10, MAX_PRECISION), exact.scale)


SUM = Stateful(
    functions=("sum",),
    calls="SUM of whole numbers and decimals of up to 27 digits",
    states="sum, number of non-null values",
    removal="subtracted",
    maintain=maintain_sum,
)
