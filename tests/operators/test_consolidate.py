"""Consolidate: one row per distinct row, with its weight, and none whose weight is zero."""

from __future__ import annotations

from tests.operators.plans import ORDERS, change_of, sql
from trickle.operators import Consolidate


def test_weights_of_equal_rows_are_summed_and_zeros_dropped() -> None:
    """GROUP BY every column HAVING the sum is not zero."""
    text = sql(Consolidate(change_of(ORDERS, "orders").delta))

    assert "SUM(orders.__trickle_weight) AS __trickle_weight FROM orders_feed AS orders GROUP BY 1, 2" in text
    assert text.endswith("HAVING SUM(orders.__trickle_weight) <> 0")


def test_rows_without_weight_count_once() -> None:
    """An unsigned input becomes a signed one."""
    assert "SUM(1) AS __trickle_weight" in sql(Consolidate(ORDERS))
    assert Consolidate(ORDERS).signed
