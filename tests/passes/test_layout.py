"""layout: what a plan is stored as, and which part of it is then maintained."""

from __future__ import annotations

from tests.operators.plans import ORDERS, named, scalar
from tests.passes.test_part_conditions import asking
from trickle.delta.layout import layout_of, maintained
from trickle.delta.state import Bag, Groups
from trickle.delta.top import Top
from trickle.operators import Aggregate, Distinct, Filter, Ordering, Project, TopK
from trickle.plan.op import Op
from trickle.plan.scalar import Named

COUNTED = (named("n", "COUNT(*)"),)
LATE = Filter(ORDERS, asking("id > now"))


def stored_as(plan: Op) -> type[object]:
    return type(layout_of(plan, plan.schema))


def grouped(child: Op) -> Aggregate:
    return Aggregate(child, (named("id"),), COUNTED)


def first(child: Op) -> TopK:
    return TopK(child, (Ordering("id", False, True),), 1, 0)


def test_the_end_of_a_query_says_how_it_is_stored() -> None:
    """A grouping, an order, or just rows; and what lies under them is maintained."""
    plans: tuple[tuple[Op, type[object], Op], ...] = (
        (grouped(ORDERS), Groups, ORDERS),
        (Filter(grouped(ORDERS), scalar("n > 1")), Groups, ORDERS),
        (ORDERS, Bag, ORDERS),
    )
    for plan, kind, below in plans:
        layout = layout_of(plan, plan.schema)

        assert type(layout) is kind
        assert maintained(layout, plan) is below
    top = layout_of(first(ORDERS), ORDERS.schema)
    assert isinstance(top, Top) and maintained(top, first(ORDERS)) is top.input
    assert stored_as(Distinct(ORDERS)) is Groups


def test_what_asks_the_clock_below_changes_what_is_stored_like_any_other_change() -> None:
    """A filter under the grouping or under the order."""
    assert stored_as(grouped(LATE)) is Groups
    assert stored_as(first(LATE)) is Top


def test_what_asks_the_clock_above_cannot_be_stored() -> None:
    """Stored groups would have to follow an instant of which no row tells."""
    assert stored_as(Filter(grouped(ORDERS), asking("n > now"))) is Bag
    assert stored_as(Project(grouped(ORDERS), (Named("late", asking("id < now")),))) is Bag
    assert stored_as(Filter(grouped(LATE), asking("n > now"))) is Bag
