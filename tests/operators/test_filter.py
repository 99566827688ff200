"""Filter: linear, and fused into the SELECT it filters."""

from __future__ import annotations

from tests.operators.plans import ORDERS, change_of, scalar, sql
from trickle.operators import Feed, Filter

LARGE = Filter(ORDERS, scalar("amount > 10"))


def test_its_delta_filters_the_delta() -> None:
    """Δσ(R) = σ(ΔR)."""
    delta = change_of(LARGE, "orders").delta

    assert isinstance(delta, Filter) and isinstance(delta.child, Feed)


def test_filters_in_a_row_are_one_where() -> None:
    """AND keeps an OR inside its own parentheses."""
    both = Filter(LARGE, scalar("id = 1 OR id = 2"))

    assert sql(both).endswith("WHERE orders.amount > 10 AND (orders.id = 1 OR orders.id = 2)")
