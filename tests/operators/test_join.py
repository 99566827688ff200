"""Join: bilinear; one side after, the other before."""

from __future__ import annotations

from tests.operators.plans import LINES, ORDERS, change_of, named, scalar, sql
from trickle.delta.simplify import simplify
from trickle.operators import Feed, Join, Moment, OuterJoin, Project, Scan, UnionAll

PAIRS = Join(ORDERS, LINES, scalar("id = order_id"))


def test_its_delta_reads_the_right_side_after_and_the_left_side_before() -> None:
    """Δ(L ⋈ R) = ΔL ⋈ R′ + L ⋈ ΔR."""
    delta = change_of(PAIRS, "orders", "lines").delta

    assert isinstance(delta, UnionAll)
    first, second = delta.inputs
    assert isinstance(first, Join) and isinstance(second, Join)
    assert isinstance(first.left, Feed) and isinstance(first.right, Scan) and first.right.at is Moment.AFTER
    assert isinstance(second.right, Feed) and isinstance(second.left, Scan) and second.left.at is Moment.BEFORE


def test_one_changed_side_leaves_one_term() -> None:
    """The term of the side that stood still is pruned."""
    delta = simplify(change_of(PAIRS, "lines").delta)

    assert isinstance(delta, Join) and isinstance(delta.right, Feed)


def test_a_joined_right_side_stands_in_parentheses() -> None:
    """Its own condition comes first, so that ours may name any of its tables."""
    items = (named("other_id", "id"), named("other_amount", "amount"))
    nested = Join(ORDERS, Join(LINES, Project(ORDERS, items), scalar("order_id = other_id")), scalar("id = other_id"))

    assert "JOIN (lines AS lines JOIN orders AS orders_2 ON lines.order_id = orders_2.id) ON" in sql(nested)


def test_a_full_join_beside_all_rows_stands_in_parentheses() -> None:
    """Without them its unmatched right rows would be padded on the left of the cross join, too; LEFT needs none."""
    items = (named("other_id", "id"), named("other_amount", "amount"))
    left, full = (
        Join(ORDERS, OuterJoin(LINES, Project(ORDERS, items), scalar("order_id = other_id"), full), None)
        for full in (False, True)
    )

    assert "CROSS JOIN scan LEFT JOIN" in sql(left)
    assert "CROSS JOIN (scan FULL JOIN" in sql(full)
