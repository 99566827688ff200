"""Recompute: the new result minus what is stored."""

from __future__ import annotations

import pytest

from tests.operators.plans import ORDERS, change_of, sql
from trickle.errors import InternalError
from trickle.operators import Recompute, UnionAll
from trickle.reasons import reason

WINDOWED = Recompute(ORDERS.schema, (reason("window_over_everything", what="row_number() OVER"),))


def test_its_difference_is_the_result_minus_the_stored_rows() -> None:
    """q(R′) − stored: what did not change cancels."""
    text = sql(WINDOWED.difference())

    assert isinstance(WINDOWED.difference(), UnionAll)
    assert "1 AS __trickle_weight FROM result AS recomputed UNION ALL" in text
    assert "-stored.__trickle_weight AS __trickle_weight FROM storage AS stored" in text


def test_it_cannot_be_differentiated() -> None:
    """There is no incremental form, and nobody may pretend there is."""
    with pytest.raises(InternalError):
        change_of(WINDOWED, "orders")


def test_it_carries_its_reasons() -> None:
    """Falling back is a decision one can read."""
    assert [one.code for one in WINDOWED.reasons] == ["window_over_everything"]
