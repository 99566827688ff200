"""Aggregate: recomputed for the touched keys, before and after."""

from __future__ import annotations

from tests.operators.plans import ORDERS, change_of, named, sql
from trickle.operators import Aggregate, Consolidate, Negate, Restrict, UnionAll

BY_ID = Aggregate(ORDERS, (named("id"),), (named("total", "SUM(amount)"),))
TOTAL = Aggregate(ORDERS, (), (named("total", "SUM(amount)"),))


def test_its_delta_is_minus_before_plus_after_over_the_touched_keys() -> None:
    """−γ(R ⋉ K) + γ(R′ ⋉ K), with one K shared by both."""
    delta = change_of(BY_ID, "orders").delta

    assert isinstance(delta, UnionAll)
    minus, plus = delta.inputs
    assert isinstance(minus, Negate) and isinstance(minus.child, Aggregate) and isinstance(plus, Aggregate)
    assert isinstance(minus.child.child, Restrict) and isinstance(plus.child, Restrict)
    assert minus.child.child.keys is plus.child.keys


def test_a_grand_total_is_recomputed_whole() -> None:
    """Without keys there is one group, and nothing to restrict by."""
    delta = change_of(TOTAL, "orders").delta

    assert isinstance(delta, Consolidate) and isinstance(delta.child, UnionAll)
    assert not any(isinstance(node, Restrict) for part in delta.child.inputs for node in part.children)


def test_it_groups_by_place() -> None:
    """GROUP BY 1: a key that is a literal would otherwise be read as a place."""
    assert sql(BY_ID) == "SELECT orders.id AS id, SUM(orders.amount) AS total FROM orders AS orders GROUP BY 1"
    assert "GROUP BY" not in sql(TOTAL)
