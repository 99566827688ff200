"""top_of: which plans are stored as the first rows of an order, and how."""

from __future__ import annotations

from tests.operators.plans import ORDERS, named, scalar
from trickle.layouts.top import SPARE, top_of
from trickle.operators import Filter, Ordering, Project, TopK
from trickle.plan.schema import Column, Schema
from trickle.plan.show import show

FIRST = TopK(ORDERS, (Ordering("amount", True, False),), limit=3, offset=2)


def columns(*names: str) -> Schema:
    return Schema(tuple(Column(name, "int") for name in names))


def test_an_order_at_the_top_is_stored_with_its_ties_settled() -> None:
    """The user's order, then every other column; as many rows as are needed, and spare ones."""
    top = top_of(FIRST, FIRST.schema)

    assert top is not None
    assert [(one.column, one.descending, one.nulls_first) for one in top.order] == [
        ("amount", True, False),
        ("id", False, True),
    ]
    assert (top.limit, top.offset, top.needed, top.spare, top.capacity) == (3, 2, 5, SPARE, 5 + SPARE)
    assert show(top.input) == show(Project(ORDERS, (named("id"), named("amount"))))
    assert top.hidden_order == ()
    assert top.stored == ("id", "amount", "__trickle_count", "__trickle_rows", "__trickle_known")


def test_projections_that_only_rename_are_followed() -> None:
    """However many there are; what is not shown is stored under a name of ours."""
    renamed = Project(Project(FIRST, (named("a", "amount"), named("i", "id"))), (named("shown", "a"),))
    top = top_of(renamed, columns("shown"))

    assert top is not None
    expected = Project(ORDERS, (named("shown", "amount"), named("__trickle_order_1", "id")))
    assert show(top.input).replace("`", "") == show(expected)
    assert [one.column for one in top.order] == ["shown", "__trickle_order_1"]
    assert top.hidden_order == ("__trickle_order_1",)
    assert top.stored == ("shown", "__trickle_count", "__trickle_order_1", "__trickle_rows", "__trickle_known")


def test_a_column_shown_twice_is_stored_twice() -> None:
    """And its order is that of one of the two."""
    twice = Project(FIRST, (named("x", "id"), named("y", "id")))
    top = top_of(twice, columns("x", "y"))

    assert top is not None
    assert [item.name for item in top.input.items] == ["x", "y", "__trickle_order_1"]  # type: ignore[attr-defined]
    assert [item.value.text for item in top.input.items] == ["`id`", "`id`", "`amount`"]  # type: ignore[attr-defined]


def test_names_of_the_storage_are_those_users_see() -> None:
    """Which may be others than the plan's."""
    top = top_of(FIRST, columns("first", "second"))

    assert top is not None
    assert [one.column for one in top.order] == ["second", "first"]


def test_as_many_spare_rows_as_are_shown() -> None:
    """If that is more than the least."""
    top = top_of(TopK(ORDERS, FIRST.order, limit=SPARE, offset=50), ORDERS.schema)

    assert top is not None and top.spare == SPARE + 50


def test_what_is_not_the_end_of_an_order_is_none() -> None:
    """Computed columns, and whatever stands above the order."""
    assert top_of(ORDERS, ORDERS.schema) is None
    assert top_of(Filter(FIRST, scalar("id > 1")), FIRST.schema) is None
    assert top_of(Project(FIRST, (named("x", "id + 1"),)), columns("x")) is None
    assert top_of(Project(FIRST, (named("id"), named("x", "id + 1"))), columns("id", "x")) is None


def test_an_order_by_what_no_table_stores_is_none() -> None:
    """Its rows could not be kept."""
    ages = Project(ORDERS, (named("id"), named("age", "CAST(NULL AS INTERVAL DAY)")))
    oldest = TopK(ages, (Ordering("age", True, False),), limit=3, offset=0)

    assert top_of(Project(oldest, (named("id"),)), columns("id")) is None
