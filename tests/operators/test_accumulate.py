"""Accumulate: weighted sums per group, and nothing for groups that do not move."""

from __future__ import annotations

from tests.operators.plans import ORDERS, change_of, named, sql
from trickle.operators import Accumulate


def accumulated(drops_zero: bool) -> Accumulate:
    feed = change_of(ORDERS, "orders").delta
    return Accumulate(feed, (named("id"),), (named("rows", "SUM(__trickle_weight)"),), drops_zero)


def test_the_weight_is_a_column_of_the_measures() -> None:
    """SUM(weight) reads the weight of the feed, grouped by the key's place."""
    assert "SUM(orders.__trickle_weight) AS rows FROM orders_feed AS orders GROUP BY 1" in sql(accumulated(False))


def test_groups_that_do_not_move_are_left_out_where_that_is_right() -> None:
    """Sums of zero are dropped; extremes are not sums."""
    assert "HAVING SUM(orders.__trickle_weight) <> 0" in sql(accumulated(True))
    assert "HAVING" not in sql(accumulated(False))


def test_its_rows_are_not_signed() -> None:
    """What was weighted is now in the measures."""
    assert not accumulated(True).signed
