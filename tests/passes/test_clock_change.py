"""ticked and differentiate: what changes when a source does, when the clock does, and when nothing does."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from tests.operators.plans import LINES, ORDERS, change_of, named, scalar
from tests.passes.test_part_conditions import NOW, asking
from trickle.delta.clock_change import clock_change
from trickle.delta.differentiate import SourceChange, differentiate
from trickle.delta.passes import change_to_apply
from trickle.operators import ClockDelta, Distinct, Empty, Feed, Filter, Join, Moment, Negate, Project, Scan, UnionAll
from trickle.plan.op import Op, walk
from trickle.plan.scalar import Named, Scalar
from trickle.plan.show import show


def asked_before(text: str) -> Scalar:
    """The condition, asking what the clock said."""

    def told(node: exp.Expr) -> exp.Expr:
        return replace(NOW, before=True).tree() if isinstance(node, exp.Column) and node.name == "now" else node

    return Scalar(scalar(text).tree.transform(told))


def test_a_filter_that_ticks_moves_the_rows_between() -> None:
    """σ′(R) − σ(R), as one operator over R."""
    moved = clock_change(Filter(ORDERS, asked_before("id > now")), Filter(ORDERS, asking("id > now")))

    assert show(moved) == show(ClockDelta(ORDERS, asked_before("id > now"), asking("id > now")))


def test_a_projection_that_ticks_shows_the_rows_that_differ() -> None:
    """As they were, taken away, and as they are: both over the rows of which something differs, null-safely."""
    earlier = Project(ORDERS, (named("id"), Named("a", asked_before("id - now"))))
    later = Project(ORDERS, (named("id"), Named("a", asking("id - now"))))
    found = clock_change(earlier, later)

    assert isinstance(found, UnionAll)
    removed, added = found.inputs
    assert isinstance(removed, Negate) and isinstance(removed.child, Project) and isinstance(added, Project)
    assert [removed.child.items, added.items] == [earlier.items, later.items]
    assert removed.child.child is added.child
    rows = added.child
    assert isinstance(rows, Filter) and rows.child is ORDERS
    old, new = asked_before("id - now").text, asking("id - now").text
    assert rows.condition.text == f"NOT (({old}) IS NOT DISTINCT FROM ({new}))"


def test_any_item_that_differs_is_enough() -> None:
    """OR, and items that are the same say nothing."""
    items = ("id - now", "id", "amount - now")
    earlier = Project(ORDERS, tuple(Named(f"c{place}", asked_before(one)) for place, one in enumerate(items)))
    later = Project(ORDERS, tuple(Named(f"c{place}", asking(one)) for place, one in enumerate(items)))
    rows = next(op for op in walk(clock_change(earlier, later)) if isinstance(op, Filter))

    assert isinstance(rows.condition.tree, exp.Or)
    assert len(list(rows.condition.tree.find_all(exp.NullSafeEQ))) == 2


def test_the_change_to_apply_is_that_of_the_plan_with_its_passes_done() -> None:
    """Before and after stay what they are; only the delta is made smaller."""
    plan = Filter(ORDERS, scalar("id > 1"))
    change = change_to_apply(plan, {"orders": SourceChange()})
    whole = change_of(plan, "orders")

    assert [show(change.before), show(change.after)] == [show(whole.before), show(whole.after)]
    assert change.after is plan and show(change.delta) == show(whole.delta)


def test_what_cannot_be_compared_is_shown_again_whole() -> None:
    """Of a type that is not known nobody can say whether two values differ."""
    earlier, later = (Project(ORDERS, (Named("a", how("MY_OWN(now)")),)) for how in (asked_before, asking))

    for one, other in ((earlier, later), (Distinct(earlier), Distinct(later))):
        assert show(clock_change(one, other)) == show(UnionAll((Negate(one), other)))


def test_an_unchanged_plan_is_itself_twice() -> None:
    """And its change is nothing."""
    plan = Join(Filter(ORDERS, scalar("id > 1")), LINES, scalar("id = order_id"))
    change = change_of(plan)

    assert change.before is plan and change.after is plan
    assert isinstance(change.delta, Empty) and change.delta.schema.names == plan.schema.names


def test_only_what_changed_is_another_plan_before() -> None:
    """The other side is shared, and a shared part stays shared."""
    other = Filter(LINES, scalar("pieces > 1"))
    change = change_of(Join(ORDERS, other, scalar("id = order_id")), "orders")
    shared = Distinct(ORDERS)
    twice = change_of(UnionAll((shared, shared)), "orders")

    assert isinstance(change.before, Join) and change.before.right is other
    assert isinstance(change.before.left, Scan) and change.before.left.at is Moment.BEFORE
    assert change.after.children == (ORDERS, other)
    assert twice.before.children[0] is twice.before.children[1] is not shared
    assert twice.delta.children[0] is twice.delta.children[1]


def test_a_feed_says_whether_it_only_adds() -> None:
    """What is told of the source."""
    for only in (True, False):
        delta = differentiate(ORDERS, {"orders": SourceChange(only_inserts=only)}).delta
        assert isinstance(delta, Feed) and delta.only_inserts is only


def test_the_clock_is_one_more_change() -> None:
    """First the rows change as the clock says now, then the clock goes on over the rows as they were."""
    plan: Op = Filter(ORDERS, asking("id > now"))
    both = differentiate(plan, {"orders": SourceChange()}, [NOW])
    neither = differentiate(plan, {}, [])
    alone = differentiate(plan, {}, [NOW])

    assert neither.before is plan and isinstance(neither.delta, Empty)
    before = both.before
    assert isinstance(before, Filter) and before.condition == asked_before("id > now")
    assert isinstance(before.child, Scan) and before.child.at is Moment.BEFORE
    assert both.after is plan
    rows, passing = both.delta.children
    assert isinstance(rows, Filter) and isinstance(rows.child, Feed) and rows.condition == asking("id > now")
    assert isinstance(passing, ClockDelta) and passing.child is before.child
    assert (passing.before, passing.after) == (asked_before("id > now"), asking("id > now"))
    assert isinstance(alone.delta.children[0], Empty) and isinstance(alone.delta.children[1], ClockDelta)
