"""SUM over whole numbers and decimals: exact, and NULL exactly when nothing non-null is left."""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintained import Maintained, State, both, counted, weight
from trickle.options import FloatSums
from trickle.plan.kinds import MAX_PRECISION, Decimal, decimal_of, is_fraction, is_integer
from trickle.sql.build import case, cast, integer, not_null, product

WEIGHT_DIGITS = 10
"""Digits of an INT weight: a product with it must still fit a decimal without giving up scale."""


def summed(argument: exp.Expr, argument_type: str, condition: Optional[exp.Expr], floats: FloatSums) -> Optional[State]:
    """The running sum as hidden state, in a type that cannot lose a digit; None when there is no such type.

    FLOAT and DOUBLE are added up only where the model asks for it (`float_sums: fast`).
    """
    wide = (
        ("double", "double") if is_fraction(argument_type) and floats is FloatSums.FAST else _state_type(argument_type)
    )
    if wide is None:
        return None
    term = cast(argument.copy(), wide[0])
    signed = product(term.copy(), weight())
    counts = both(not_null(argument.copy()), condition)
    assert counts is not None
    change = exp.Coalesce(this=exp.Sum(this=case(counts, signed, exp.Null())), expressions=[integer(0)])
    plain = case(condition.copy(), term, exp.Null()) if condition is not None else term
    initial = exp.Coalesce(this=exp.Sum(this=plain), expressions=[integer(0)])
    return State("sum", cast(initial, wide[1]), cast(change, wide[1]))


def maintain_sum(
    call: exp.Expr, argument_type: str, result_type: str, condition: Optional[exp.Expr], floats: FloatSums
) -> Optional[Maintained]:
    """Σ weight·x beside the number of non-null x. NULL ⇔ that number is 0, not ⇔ the sum is 0."""
    if not isinstance(call, exp.Sum) or isinstance(call.this, exp.Distinct):
        return None
    total = summed(call.this, argument_type, condition, floats)
    if total is None:
        return None
    present = counted(both(not_null(call.this.copy()), condition))

    def finish(states: tuple[exp.Expr, ...]) -> exp.Expr:
        value = cast(states[0], result_type) if result_type else states[0]
        return case(exp.GT(this=states[1], expression=integer(0)), value, exp.Null())

    return Maintained((total, present), finish)


def _state_type(argument_type: str) -> Optional[tuple[str, str]]:
    """The type to multiply in, and the type to store: wide enough that neither can lose a digit."""
    if argument_type == "bigint":
        return "decimal(20,0)", f"decimal({MAX_PRECISION},0)"
    if is_integer(argument_type):
        return "bigint", "bigint"
    exact = decimal_of(argument_type)
    if exact is None or exact.precision + WEIGHT_DIGITS + 1 > MAX_PRECISION:
        return None
    return str(exact), str(Decimal(min(exact.precision + 10, MAX_PRECISION), exact.scale))
