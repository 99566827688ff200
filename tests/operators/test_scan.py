"""Scan and Feed: the two ways a source is read."""

from __future__ import annotations

import pytest

from tests.operators.plans import ORDERS, change_of, scan, sql
from trickle.errors import InternalError
from trickle.operators import Feed, Moment, Scan


def test_a_changed_source_is_read_before_after_and_by_its_feed() -> None:
    """The three plans of a leaf's change."""
    change = change_of(ORDERS, "orders")

    assert isinstance(change.before, Scan) and change.before.at is Moment.BEFORE
    assert change.after is ORDERS
    assert isinstance(change.delta, Feed) and change.delta.source == "orders"
    assert sql(change.before).endswith("FROM orders_before AS orders")
    assert sql(change.delta).endswith("orders.__trickle_weight AS __trickle_weight FROM orders_feed AS orders")


def test_columns_have_one_name_each() -> None:
    """Names that differ by case alone are the same name."""
    with pytest.raises(InternalError, match="two columns are called"):
        _ = scan("orders", "id", "ID").schema


def test_a_source_nobody_bound_is_our_error() -> None:
    """The message names the source."""
    with pytest.raises(InternalError, match="'unknown'"):
        sql(scan("unknown", "id"))
