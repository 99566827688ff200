"""SUM over whole numbers and decimals: exact, and NULL exactly when nothing non-null is left."""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintained import Combine, Maintained, State, both, counted, overflow, weight
from trickle.aggregates.stateful import AggregateCall, Stateful
from trickle.options import FloatSums
from trickle.plan.expression_types import LEAST_SCALE
from trickle.sql.build import case, cast, integer, not_null, product
from trickle.types import MAX_PRECISION, Decimal, Simple, Type, decimal_of, is_fraction, is_integer, type_text

WEIGHT_DIGITS = 10
"""Digits of an INT weight: a product with it must still fit a decimal without giving up scale."""


def summed(call: AggregateCall) -> Optional[State]:
    """The running sum as hidden state, in a type that cannot lose a digit; None when there is no such type.

    FLOAT and DOUBLE are added up only where the model asks for it (`float_sums: fast`).
    """
    exact = decimal_of(call.argument_type)
    if exact is not None and exact.precision + WEIGHT_DIGITS + 1 > MAX_PRECISION:
        return _summed_wide(call, exact)
    wide = _state_types(call.argument_type, call.floats)
    if wide is None:
        return None
    multiplied, stored = (type_text(kind) for kind in wide)
    term = cast(call.tree.this.copy(), multiplied)
    signed = product(term.copy(), weight())
    change = exp.Coalesce(this=exp.Sum(this=case(_counts(call), signed, exp.Null())), expressions=[integer(0)])
    initial = exp.Coalesce(this=exp.Sum(this=_plain(call, term)), expressions=[integer(0)])
    return State("sum", cast(initial, stored), cast(change, stored))


def _summed_wide(call: AggregateCall, exact: Decimal) -> Optional[State]:
    """The sum of decimals whose product with a weight has more digits than Spark's decimals.

    Such a product, and the sum of two states, are DECIMAL(38) of the same scale as long as that is at most 6: Spark
    takes digits away from longer fractions. A sum that has too many digits is NULL where Spark is not in ANSI mode, and
    stored as NULL; no change can be added to it.
    """
    if exact.scale > LEAST_SCALE:
        return None
    stored = type_text(Decimal(MAX_PRECISION, exact.scale))
    term = cast(call.tree.this.copy(), stored)
    counts = _counts(call)
    signed = exp.Case(
        ifs=[
            exp.If(this=exp.EQ(this=weight(), expression=integer(1)), true=term.copy()),
            exp.If(this=exp.EQ(this=weight(), expression=integer(-1)), true=exp.Neg(this=term.copy())),
        ],
        default=exp.Coalesce(this=product(term.copy(), weight()), expressions=[overflow()]),
    )
    no_rows = exp.EQ(this=exp.Count(this=exp.Star()), expression=integer(0))
    # Over rows that all add something, if only 0, a sum is NULL for one reason only.
    total = exp.Sum(this=case(counts, term, integer(0)))
    change = exp.Sum(this=case(counts.copy(), signed, integer(0)))
    initial = exp.Coalesce(this=total, expressions=[case(no_rows, integer(0), exp.Null())])
    checked = exp.Coalesce(this=change, expressions=[case(no_rows.copy(), integer(0), overflow())])
    return State("sum", cast(initial, stored), cast(checked, stored), Combine.CHECKED_ADD)


def _counts(call: AggregateCall) -> exp.Expr:
    """Whether a row has something to add."""
    counts = both(not_null(call.tree.this.copy()), call.condition)
    assert counts is not None
    return counts


def _plain(call: AggregateCall, term: exp.Expr) -> exp.Expr:
    return case(call.condition.copy(), term, exp.Null()) if call.condition is not None else term


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
    if exact is None:
        return None
    return exact, Decimal(min(exact.precision + 10, MAX_PRECISION), exact.scale)


SUM = Stateful(
    functions=("sum",),
    calls="SUM of whole numbers, and of decimals of up to 27 digits or with at most 6 after the point",
    states="sum, number of non-null values",
    removal="subtracted",
    maintain=maintain_sum,
)
