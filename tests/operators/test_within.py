"""Within: literal conditions on a scan, in one spelling for each kind of range."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.operators.plans import ORDERS, sql
from trickle.operators import Within
from trickle.plan.ranges import Ranges, ranges

FEBRUARY = Ranges((("2024-02-29", "2024-03-01"),))


@pytest.mark.parametrize(
    ("lies", "condition"),
    [
        (Ranges(((1, 9),)), "orders.id BETWEEN 1 AND 9"),
        (Ranges(((-3, -3), (5, 5))), "orders.id IN (-3, 5)"),
        (Ranges(((1, 1), (4, 9)), null=True), "orders.id IN (1) OR orders.id BETWEEN 4 AND 9 OR orders.id IS NULL"),
        (Ranges(null=True), "orders.id IS NULL"),
        (Ranges(), "FALSE"),
        (Ranges(((Decimal("-1.50"), Decimal("1E+3")),)), "orders.id BETWEEN -1.50 AND 1000"),
        (FEBRUARY, "BETWEEN CAST('2024-02-29' AS DATE) AND CAST('2024-03-01' AS DATE)"),
    ],
)
def test_ranges_are_literals(lies: Ranges, condition: str) -> None:
    """Single values in one IN, stretches as BETWEEN, and NULL by its own test."""
    assert condition in sql(Within(ORDERS, "id", lies, 0.1))


def test_alternatives_stay_together_beside_other_conditions() -> None:
    """a OR b, AND c: in parentheses."""
    twice = Within(Within(ORDERS, "id", Ranges(((1, 2), (4, 5))), 0.5), "amount", Ranges(((7, 7),)), 0.5)

    assert "WHERE (orders.id BETWEEN 1 AND 2 OR orders.id BETWEEN 4 AND 5) AND orders.amount IN (7)" in sql(twice)


def test_ranges_are_kept_in_order_and_apart() -> None:
    """Those that meet become one; too many become one that holds them all."""
    assert ranges([(5, 9), (1, 2), (2, 4)]).intervals == ((1, 4), (5, 9))
    assert ranges([(place * 10, place * 10 + 1) for place in range(100)]).intervals == ((0, 991),)


def test_both_and_either() -> None:
    """Sets of values: NULL is in both only when each has it."""
    one, other = Ranges(((1, 5), (8, 9)), null=True), Ranges(((4, 8),))

    assert one & other == Ranges(((4, 5), (8, 8)))
    assert one | other == Ranges(((1, 9),), null=True)
