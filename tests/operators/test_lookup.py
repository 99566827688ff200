"""Lookup: every key keeps a row, found or not."""

from __future__ import annotations

from tests.operators.plans import LINES, ORDERS, change_of, named, sql
from trickle.operators import Lookup, TouchedKeys

KEYS = TouchedKeys(change_of(ORDERS, "orders").delta, (named("touched", "id"),))


def test_keys_are_compared_null_safely_and_never_lost() -> None:
    """LEFT JOIN … ON key <=> column: the group of NULL is found, a vanished one is a row of NULLs."""
    text = sql(Lookup(KEYS, LINES, (("touched", "order_id"),)))

    assert "LEFT JOIN" in text
    assert "touched <=> " in text or "touched IS NOT DISTINCT FROM" in text
