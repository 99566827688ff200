"""Project: linear; duplicates stay."""

from __future__ import annotations

from tests.operators.plans import ORDERS, change_of, named, sql
from trickle.operators import Feed, Project
from trickle.operators.project import renaming

DOUBLED = Project(ORDERS, (named("doubled", "amount * 2"),))


def test_its_delta_projects_the_delta() -> None:
    """Δπ(R) = π(ΔR), weights untouched."""
    delta = change_of(DOUBLED, "orders").delta

    assert isinstance(delta, Project) and isinstance(delta.child, Feed)
    assert sql(delta) == (
        "SELECT orders.amount * 2 AS doubled, orders.__trickle_weight AS __trickle_weight FROM orders_feed AS orders"
    )


def test_renaming_to_the_same_names_is_nothing() -> None:
    """The child itself comes back, so that "changed?" is "is"."""
    assert renaming(ORDERS, ("id", "amount")) is ORDERS
    assert renaming(ORDERS, ("a", "b")).schema.names == ("a", "b")


def test_placed_expressions_keep_their_parentheses() -> None:
    """(amount + 1) * 2, not amount + 1 * 2."""
    inner = Project(ORDERS, (named("more", "amount + 1"),))

    assert "(orders.amount + 1) * 2" in sql(Project(inner, (named("twice", "more * 2"),)))
