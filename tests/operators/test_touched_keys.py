"""TouchedKeys: the distinct keys of everything that came or went."""

from __future__ import annotations

from tests.operators.plans import ORDERS, change_of, named, sql
from trickle.operators import TouchedKeys

KEYS = TouchedKeys(change_of(ORDERS, "orders").delta, (named("half", "id / 2"),))


def test_the_weight_is_gone_and_each_key_occurs_once() -> None:
    """SELECT DISTINCT key: a key whose changes cancel is recomputed to what it was."""
    text = sql(KEYS)

    assert text.startswith("SELECT DISTINCT")
    assert "__trickle_weight" not in text
    assert not KEYS.signed
