"""Stored: the rows the storage holds, as often as their count says."""

from __future__ import annotations

from tests.operators.plans import ORDERS, sql
from trickle.operators import Stored


def test_it_is_signed_and_read_from_the_storage() -> None:
    """The count is its weight."""
    op = Stored(ORDERS.schema)

    assert op.signed
    assert sql(op).endswith("stored.__trickle_weight AS __trickle_weight FROM storage AS stored")
