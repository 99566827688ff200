"""layout: what a plan is stored as, and which part of it is then maintained."""

from __future__ import annotations

from tests.operators.plans import ORDERS, named, scalar
from tests.passes.test_part_conditions import asking
from trickle.layouts.bag import Bag
from trickle.layouts.choose import layout_of
from trickle.layouts.groups import Groups
from trickle.layouts.series import Series
from trickle.layouts.top import Top
from trickle.operators import Aggregate, Distinct, Filter, Ordering, Project, TopK, Window
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
        assert layout.maintained(plan) is below
    top = layout_of(first(ORDERS), ORDERS.schema)
    assert isinstance(top, Top) and top.maintained(first(ORDERS)) is top.input
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


def test_what_cannot_be_compared_is_stored_neither_in_an_order_nor_as_a_series() -> None:
    """One such column is enough: a stored row could not be found again."""
    tagged = Project(ORDERS, (named("id"), named("tags", "CAST(NULL AS MAP<INT, INT>)")))
    numbered = Window(tagged, (), (named("n", "RANK() OVER (ORDER BY id)"),))
    assert stored_as(first(tagged)) is Bag
    assert stored_as(numbered) is Bag
    plain = Window(ORDERS, (), (named("n", "RANK() OVER (ORDER BY id)"),))
    assert stored_as(plain) is Series


def test_a_key_that_no_table_can_hold_must_be_shown() -> None:
    """Hidden it would be a column of the storage; what is shown is the user's own affair."""
    keys = (named("id"), named("age", "CAST(NULL AS INTERVAL DAY TO SECOND)"))
    spans = Aggregate(ORDERS, keys, COUNTED)
    assert stored_as(Project(spans, (named("id"), named("n")))) is Bag
    assert stored_as(Project(Aggregate(ORDERS, (named("id"), named("amount")), COUNTED), (named("n"),))) is Groups
    assert stored_as(spans) is Groups


def test_every_condition_above_a_grouping_is_asked() -> None:
    """However many filters and projections stand there."""
    twice = Filter(Project(Filter(grouped(ORDERS), scalar("n > 1")), (named("m", "n + 1"),)), scalar("m < 9"))
    layout = layout_of(twice, twice.schema)

    assert isinstance(layout, Groups) and layout.condition is not None
    assert layout.condition.text.replace("`", "") == "n > 1 AND (n + 1) < 9"
