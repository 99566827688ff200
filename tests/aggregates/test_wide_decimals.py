"""Which decimals have states, and that their averages are rounded as Spark rounds them."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from dbt.adapters.trickle.cli.verify.ways import every_way
from tests.facts import compiled
from tests.snapshots.shop import CONTRACT, last_stamp, probes
from trickle import Column, Request, Table, Target, plan_refresh
from trickle.aggregates.avg import COUNT_DIGITS, NARROW, WIDE
from trickle.aggregates.maintain import maintain
from trickle.aggregates.maintained import Combine, Maintained
from trickle.apply.step_sql import step_sql
from trickle.catalog.happened import Changed
from trickle.sql.build import column
from trickle.sql.parse import parse_expression
from trickle.types import Decimal as DecimalType
from trickle.types import parse_type

SALES = Table(("shop", "orders"), (Column("k", "int"), Column("x", "decimal(38,2)")))
ADDED = "SELECT k, SUM(x) AS total FROM shop.orders GROUP BY k"
PLACED = "SELECT k, RANK() OVER (ORDER BY SUM(x)) AS place FROM shop.orders GROUP BY k"
TARGET = Target(("shop", "m"), ("shop", "m__trickle"), rows=1_000, exists=True)
STATE = r"[\w.]*__trickle_sum_sum"
TOGETHER = rf"{STATE} \+ {STATE}|SUM\({STATE}\)"
CHECKED = (
    rf"COALESCE\( *(?:{STATE} \+ {STATE}"
    rf"|CASE WHEN COUNT\({STATE}\) = COUNT\(\*\) THEN SUM\({STATE}\) ELSE NULL END)"
    r" *, CAST\(RAISE_ERROR\( *'dbt-trickle \[sum_overflows\]"
)

LEAST_SCALE, MAX_PRECISION, MAX_SCALE = 6, 38, 38
DIGITS = 200
"""More than any number here has."""


def states_of(function: str, precision: int, scale: int) -> Maintained | None:
    return maintain(parse_expression(f"{function}(x)"), {"x": f"decimal({precision},{scale})"})


@pytest.mark.parametrize(
    ("precision", "scale", "combine", "stored"),
    [
        (1, 0, Combine.ADD, "DECIMAL(11, 0)"),
        (10, 2, Combine.ADD, "DECIMAL(20, 2)"),
        (27, 0, Combine.ADD, "DECIMAL(37, 0)"),
        (27, 27, Combine.ADD, "DECIMAL(37, 27)"),
        (28, 0, Combine.CHECKED_ADD, "DECIMAL(38, 0)"),
        (28, 6, Combine.CHECKED_ADD, "DECIMAL(38, 6)"),
        (28, 7, None, ""),
        (38, 0, Combine.CHECKED_ADD, "DECIMAL(38, 0)"),
        (38, 6, Combine.CHECKED_ADD, "DECIMAL(38, 6)"),
        (38, 7, None, ""),
        (38, 38, None, ""),
    ],
)
def test_which_decimals_have_sums(precision: int, scale: int, combine: Combine | None, stored: str) -> None:
    """Up to 27 digits a product with a weight fits; beyond, sums keep at most 6 digits after the point."""
    maintained = states_of("SUM", precision, scale)

    if combine is None:
        assert maintained is None
        return
    assert maintained is not None
    total, count = maintained.states
    assert (total.combine, count.combine) == (combine, Combine.ADD)
    assert isinstance(total.initial, exp.Cast) and isinstance(total.change, exp.Cast)
    assert total.initial.to.sql("spark") == total.change.to.sql("spark") == stored


@pytest.mark.parametrize(
    ("query", "strategy", "sums"), [(ADDED, "merge_by_key", 2), (ADDED, "overwrite", 1), (PLACED, "overwrite", 1)]
)
def test_every_way_to_add_states_ends_where_they_do_not_fit(query: str, strategy: str, sums: int) -> None:
    """A sum of two states is not written without the end of the statement beside it."""
    view = compiled(query, lambda name: SALES)
    stamp, seen = last_stamp(view), probes(view, {"shop.orders": Changed})
    request = Request("model.shop.m", 2_000, CONTRACT)
    plan = plan_refresh(view, TARGET, stamp, seen, request)

    (way,) = (one for one in every_way(view, TARGET, stamp, seen, request, plan) if one.strategy == strategy)
    text = " ".join("\n".join(map(step_sql, way.data)).replace("`", "").split())

    assert len(re.findall(CHECKED, text)) == len(re.findall(TOGETHER, text)) == sums


@pytest.mark.parametrize(
    ("precision", "scale", "states"),
    [
        (1, 0, True),
        (1, 1, True),
        (13, 0, True),
        (13, 13, True),
        (14, 0, False),
        (14, 1, False),
        (14, 2, True),
        (14, 14, True),
        (24, 1, False),
        (24, 2, True),
        (24, 24, True),
        (25, 2, False),
        (25, 25, False),
        (38, 6, False),
    ],
)
def test_which_decimals_have_averages(precision: int, scale: int, states: bool) -> None:
    """Those whose quotient is rounded once, or so late that a second time changes nothing."""
    assert (states_of("AVG", precision, scale) is not None) is states


def bounded(precision: int, scale: int) -> DecimalType:
    """Spark's adjustPrecisionScale, where it may lose precision: digits after the point give way, down to 6."""
    if precision <= MAX_PRECISION:
        return DecimalType(precision, scale)
    whole = precision - scale
    return DecimalType(MAX_PRECISION, max(MAX_PRECISION - whole, min(scale, LEAST_SCALE)))


def quotient_type(left: DecimalType, right: DecimalType) -> DecimalType:
    """Spark's type of left / right."""
    scale = max(LEAST_SCALE, left.scale + right.precision + 1)
    return bounded(left.whole + right.scale + scale, scale)


def rounded(number: Fraction, scale: int) -> Fraction:
    """HALF_UP: ties go away from zero."""
    shifted = abs(number) * 10**scale
    whole, rest = divmod(shifted.numerator, shifted.denominator)
    up = 2 * rest >= shifted.denominator
    return Fraction(whole + up, 10**scale) * (1 if number >= 0 else -1)


def in_digits(total: Decimal, count: int) -> Fraction:
    """A quotient with 39 digits."""
    return Fraction(Context(prec=MAX_PRECISION + 1, rounding=ROUND_HALF_UP).divide(total, Decimal(count)))


def in_scale(total: Decimal, count: int) -> Fraction:
    """A quotient with 39 digits after the point."""
    return rounded(Fraction(total) / count, MAX_SCALE + 1)


Divide = Callable[[Decimal, int], Fraction]


def in_spark(total: Decimal, count: int, argument: DecimalType, divide: Divide) -> Fraction:
    """AVG: one division, and its result in the type of the average."""
    return rounded(divide(total, count), argument.scale + 4)


def in_ours(total: Decimal, count: int, argument: DecimalType, divide: Divide) -> Fraction:
    """The expression that finishes the states, as Spark computes it: the types are those that it casts to."""
    maintained = states_of("AVG", argument.precision, argument.scale)
    assert maintained is not None
    finish = maintained.finish((column("s"), column("n")))
    quotient, outer = finish.find(exp.Div), finish.args["ifs"][0].args["true"]
    assert quotient is not None and isinstance(outer, exp.Cast) and outer.this is quotient
    dividend, divisor = quotient.this, quotient.expression.this
    left, right, result = (parse_type(one.to.sql("spark").lower()) for one in (dividend, divisor, outer))
    assert isinstance(left, DecimalType) and isinstance(right, DecimalType) and isinstance(result, DecimalType)
    assert fits(total, left) and fits(Decimal(count), right)
    assert result == bounded(argument.precision + 4, argument.scale + 4)
    return rounded(rounded(divide(total, count), quotient_type(left, right).scale), result.scale)


def fits(number: Decimal, kind: DecimalType) -> bool:
    """Whether a cast keeps every digit."""
    whole, scale = kind.whole, kind.scale
    return abs(Fraction(number)) < 10**whole and (Fraction(number) * 10**scale).denominator == 1


def decimals(low: int, high: int, least_scale: int = 0) -> st.SearchStrategy[DecimalType]:
    return st.integers(low, high).flatmap(
        lambda precision: st.builds(DecimalType, st.just(precision), st.integers(least_scale, precision))
    )


Average = tuple[DecimalType, Decimal, int]


@st.composite
def averages(draw: st.DrawFn, kinds: st.SearchStrategy[DecimalType]) -> Average:
    """A type, and a sum of so many of its values: any, or one whose quotient is close to the middle of two answers."""
    kind = draw(kinds)
    count = draw(
        st.one_of(st.integers(1, 50), st.integers(1, 10**COUNT_DIGITS - 1), st.sampled_from((7, 2**31, 99_999)))
    )
    most = count * (10**kind.precision - 1)
    total = draw(st.integers(-most, most))
    if draw(st.booleans()):
        # In units of the sum's last digit: the middle between two answers, and its neighbours.
        middle = Fraction(2 * (total * 10**4 // count) + 1, 2 * 10**4) * count
        total = max(-most, min(most, int(middle) + draw(st.integers(-1, 1))))
    with localcontext(Context(prec=DIGITS)):
        return kind, Decimal(total).scaleb(-kind.scale), count


@settings(max_examples=400, deadline=None)
@given(averages(decimals(1, NARROW)))
@example((DecimalType(13, 13), Decimal("0.0000000000001"), 9_999_999_999))
def test_the_average_of_a_narrow_decimal_is_rounded_as_sparks(average: Average) -> None:
    """Twice, but the first time to more digits than a count has: no quotient is so close to a middle."""
    kind, total, count = average

    for divide in (in_digits, in_scale):
        assert in_ours(total, count, kind, divide) == in_spark(total, count, kind, divide)


@settings(max_examples=400, deadline=None)
@given(averages(decimals(NARROW + 1, WIDE, least_scale=2)))
def test_the_average_of_a_wide_decimal_is_rounded_as_sparks(average: Average) -> None:
    """Once: the quotient has the digits of the average."""
    kind, total, count = average

    for divide in (in_digits, in_scale):
        assert in_ours(total, count, kind, divide) == in_spark(total, count, kind, divide)


@pytest.mark.parametrize(("precision", "scale"), [(14, 0), (14, 1), (24, 1)])
def test_what_has_no_states_would_be_rounded_twice(precision: int, scale: int) -> None:
    """A quotient of 6 digits after the point, of which the average keeps fewer."""
    left = DecimalType(MAX_PRECISION - 4, scale)
    count = 4001
    kept = quotient_type(left, DecimalType(COUNT_DIGITS, 0)).scale
    found = [
        total
        for total in range(20_000)
        if rounded(rounded(Fraction(total, count * 10**scale), kept), scale + 4)
        != rounded(Fraction(total, count * 10**scale), scale + 4)
    ]

    assert (kept, scale + 4 < kept) == (LEAST_SCALE, True)
    assert found
