"""Negate: the other sign."""

from __future__ import annotations

from tests.operators.plans import ORDERS, change_of, sql
from trickle.delta.simplify import simplify
from trickle.operators import Negate


def test_rows_without_weight_get_minus_one() -> None:
    """An unsigned plan becomes its own removal."""
    assert "-1 AS __trickle_weight" in sql(Negate(ORDERS))


def test_weights_change_their_sign() -> None:
    """What the feed adds is removed, and the other way round."""
    assert "-orders.__trickle_weight AS __trickle_weight" in sql(Negate(change_of(ORDERS, "orders").delta))


def test_twice_is_not_at_all() -> None:
    """−−R = R for a signed R; of an unsigned one the weight column stays."""
    feed = change_of(ORDERS, "orders").delta

    assert simplify(Negate(Negate(feed))) is feed
    assert isinstance(simplify(Negate(Negate(ORDERS))), Negate)
