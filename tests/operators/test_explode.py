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


def test_what_is_no_lateral_view_is_joined() -> None:
    """A VARIANT's parts stand in FROM alone, and rows without any are kept by the function's own name."""
    made = Explode(ORDERS, scalar("VARIANT_EXPLODE(id)"), (Column("value", "variant"),), outer=False)
    kept = Explode(ORDERS, made.generator, made.columns, outer=True)

    assert "FROM orders AS orders, LATERAL VARIANT_EXPLODE(orders.id) AS __trickle_made_rows(value)" in sql(made)
    assert "LATERAL VARIANT_EXPLODE_OUTER(orders.id)" in sql(kept)
    assert "LEFT" not in sql(kept)
