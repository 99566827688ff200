"""SemiJoin: new left rows are judged by the right side after; old ones only when a changed right row matches them."""

from __future__ import annotations

from tests.operators.plans import LINES, ORDERS, change_of, scalar, sql
from trickle.delta.simplify import simplify
from trickle.operators import Empty, Feed, Restrict, SemiJoin, TouchedKeys, UnionAll

ORDERED = SemiJoin(ORDERS, LINES, scalar("id = order_id"), anti=False)
UNORDERED = SemiJoin(ORDERS, LINES, scalar("id = order_id"), anti=True)


def test_a_changed_left_side_is_one_term() -> None:
    """ΔL ⋉ R′, and of R′ only the rows that the new ones can match."""
    delta = simplify(change_of(ORDERED, "orders").delta)

    assert isinstance(delta, SemiJoin) and isinstance(delta.left, Feed)
    assert isinstance(delta.right, Restrict) and delta.right.child is LINES
    assert isinstance(delta.right.keys, TouchedKeys) and delta.right.keys.child is delta.left


def test_a_changed_right_side_concerns_the_rows_it_matches() -> None:
    """Both terms are about L ⋉ ΔR, of which only the columns of the condition are taken."""
    delta = simplify(change_of(UNORDERED, "lines").delta)

    assert isinstance(delta, UnionAll)
    (after,) = [term for term in delta.inputs if isinstance(term, SemiJoin)]
    assert isinstance(after.left, SemiJoin) and not after.left.anti and isinstance(after.left.right, TouchedKeys)
    assert [key.name for key in after.left.right.keys] == ["order_id"]


def test_nothing_on_the_right_side() -> None:
    """L ⋉ ∅ = ∅ and L ▷ ∅ = L."""
    nothing = Empty(LINES.schema)

    assert isinstance(simplify(SemiJoin(ORDERS, nothing, None, anti=False)), Empty)
    assert simplify(SemiJoin(ORDERS, nothing, None, anti=True)) is ORDERS


def test_it_is_left_semi_and_left_anti_join() -> None:
    """In Spark's own words."""
    assert "LEFT SEMI JOIN scan_2 ON scan.id = scan_2.order_id" in sql(ORDERED)
    assert "LEFT ANTI JOIN scan_2 ON scan.id = scan_2.order_id" in sql(UNORDERED)
