"""Distinct: recomputed for the touched rows."""

from __future__ import annotations

from tests.operators.plans import ORDERS, change_of, sql
from trickle.operators import Distinct, Restrict, UnionAll
from trickle.plan.op import walk

UNIQUE = Distinct(ORDERS)


def test_its_keys_are_all_columns() -> None:
    """A row is touched when an equal one came or went."""
    delta = change_of(UNIQUE, "orders").delta

    assert isinstance(delta, UnionAll)
    restricts = [op for op in walk(delta) if isinstance(op, Restrict)]
    assert [tuple(key.name for key in op.by) for op in restricts] == [("id", "amount")] * 2


def test_it_is_select_distinct() -> None:
    """No grouping is spelt out."""
    assert sql(UNIQUE) == "SELECT DISTINCT orders.id AS id, orders.amount AS amount FROM orders AS orders"
