"""MarkJoin: a TRUE or FALSE beside every left row."""

from __future__ import annotations

from tests.operators.plans import LINES, ORDERS, change_of, scalar, sql
from trickle.delta.simplify import simplify
from trickle.operators import Feed, MarkJoin

MARKED = MarkJoin(ORDERS, LINES, scalar("id = order_id"), "found")


def test_a_changed_left_side_is_one_term() -> None:
    """New rows are marked by the right side as it is now."""
    delta = simplify(change_of(MARKED, "orders").delta)

    assert isinstance(delta, MarkJoin) and isinstance(delta.left, Feed)
    assert delta.schema.names == ("id", "amount", "found")


def test_an_equality_is_a_join_with_distinct_keys() -> None:
    """Each left row meets one of them at most."""
    text = sql(MARKED)

    assert "SELECT DISTINCT scan_2.order_id AS __trickle_found_key_1" in text
    assert "LEFT JOIN" in text and "EXISTS" not in text


def test_any_other_condition_is_both_joins() -> None:
    """Those that match are marked TRUE, the others FALSE."""
    text = sql(MarkJoin(ORDERS, LINES, scalar("id < order_id"), "found"))

    assert "TRUE AS found" in text and "LEFT SEMI JOIN" in text
    assert "FALSE AS found" in text and "LEFT ANTI JOIN" in text
