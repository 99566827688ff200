"""OuterJoin: pairs follow their rows; whether a row has a match at all is looked up again."""

from __future__ import annotations

from tests.operators.plans import LINES, ORDERS, change_of, scalar, sql
from trickle.delta.simplify import simplify
from trickle.operators import Feed, Join, OuterJoin, Project, SemiJoin, UnionAll
from trickle.plan.op import walk

LEFT = OuterJoin(ORDERS, LINES, scalar("id = order_id"), full=False)
FULL = OuterJoin(ORDERS, LINES, scalar("id = order_id"), full=True)


def test_a_changed_left_side_is_one_term() -> None:
    """ΔL ⟕ R′: a new row finds its pairs or is padded."""
    delta = simplify(change_of(LEFT, "orders").delta)

    assert isinstance(delta, OuterJoin) and isinstance(delta.left, Feed)


def test_a_changed_right_side_is_pairs_and_padding() -> None:
    """L ⋈ ΔR, and the rows that lost or found a match."""
    delta = simplify(change_of(LEFT, "lines").delta)

    assert isinstance(delta, UnionAll)
    assert [type(term).__name__ for term in delta.inputs] == ["Join", "Project", "Negate"]
    assert next(op for op in walk(delta) if isinstance(op, Join)).left.schema.names == ORDERS.schema.names


def test_full_adds_the_unmatched_right_rows() -> None:
    """Padded on the left."""
    padded = [op for op in walk(simplify(change_of(FULL, "orders").delta)) if isinstance(op, Project)]

    rights = [semi for op in padded for semi in walk(op) if isinstance(semi, SemiJoin) and semi.anti]
    assert any(semi.schema.names == LINES.schema.names for semi in rights)
    assert all(op.schema.names == FULL.schema.names for op in padded)


def test_it_is_an_outer_join() -> None:
    """In Spark's own words."""
    assert "LEFT JOIN scan_2 ON scan.id = scan_2.order_id" in sql(LEFT)
    assert "FULL JOIN scan_2 ON scan.id = scan_2.order_id" in sql(FULL)
