"""Explode: linear, each row by itself."""

from __future__ import annotations

from tests.operators.plans import ORDERS, change_of, scalar, sql
from trickle.operators import Explode, Feed
from trickle.plan.schema import Column

BOTH = Explode(ORDERS, scalar("EXPLODE(ARRAY(id, amount))"), (Column("value", "int"),), outer=False)


def test_its_delta_is_itself_over_the_change() -> None:
    """What a row makes depends on nothing else."""
    delta = change_of(BOTH, "orders").delta

    assert isinstance(delta, Explode) and isinstance(delta.child, Feed)


def test_it_is_a_lateral_view() -> None:
    """Beside the columns of its row; OUTER keeps rows that make none."""
    kept = Explode(ORDERS, BOTH.generator, BOTH.columns, outer=True)

    assert (
        "FROM orders AS orders LATERAL VIEW EXPLODE(ARRAY(orders.id, orders.amount)) __trickle_made_rows AS value"
        in sql(BOTH)
    )
    assert "LATERAL VIEW OUTER EXPLODE" in sql(kept)
