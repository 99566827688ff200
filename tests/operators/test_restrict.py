"""Restrict: a semi-join that never drops NULL."""

from __future__ import annotations

from tests.operators.plans import ORDERS, change_of, named, sql
from trickle.operators import Restrict, TouchedKeys

KEY = (named("id"),)


def test_keys_are_compared_null_safely() -> None:
    """LEFT SEMI JOIN … ON key IS NOT DISTINCT FROM key."""
    text = sql(Restrict(ORDERS, TouchedKeys(change_of(ORDERS, "orders").delta, KEY), KEY))

    assert "LEFT SEMI JOIN" in text
    assert "ON orders.id IS NOT DISTINCT FROM touched_keys.id" in text


def test_a_computed_key_stands_in_parentheses() -> None:
    """(id = 1) <=> key: without them it would be read as id = (1 <=> key)."""
    computed = (named("first", "id = 1"),)
    text = sql(Restrict(ORDERS, TouchedKeys(change_of(ORDERS, "orders").delta, computed), computed))

    assert "ON (orders.id = 1) IS NOT DISTINCT FROM touched_keys.first" in text


def test_weights_are_those_of_the_restricted_rows() -> None:
    """The keys only select."""
    feed = change_of(ORDERS, "orders").delta

    assert not Restrict(ORDERS, TouchedKeys(feed, KEY), KEY).signed
    assert Restrict(feed, TouchedKeys(feed, KEY), KEY).signed
