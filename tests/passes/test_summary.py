"""summary: what is stored of queries that say something of nothing but groups."""

from __future__ import annotations

from typing import Optional

from tests.operators.plans import ORDERS, named, scalar
from trickle.layouts.summary import Summary, summary_of
from trickle.operators import Aggregate, Distinct, Filter, Join, Ordering, Project, TopK, Window
from trickle.operators.project import renaming
from trickle.options import FloatSums
from trickle.plan.op import Op, walk
from trickle.plan.show import show

GROUPED = Aggregate(ORDERS, (named("id"),), (named("n", "COUNT(*)"),))
RANK = (named("r", "RANK() OVER (ORDER BY n)"),)
RANKED = Window(GROUPED, (), RANK)


def summary(plan: Op) -> Optional[Summary]:
    return summary_of(plan, plan.schema, FloatSums.EXACT)


def first(child: Op, limit: int = 3, offset: int = 1) -> TopK:
    return TopK(child, (Ordering("n", True, False),), limit, offset)


def above(plan: Op) -> str:
    found = summary(plan)
    assert found is not None
    return show(found.above).replace("`", "")


def test_groups_are_stored_with_their_states_and_what_is_said_of_them() -> None:
    """The view's columns first, then the count, then the group itself."""
    found = summary(RANKED)

    assert found is not None
    assert found.stored[:4] == ("id", "n", "r", "__trickle_count")
    assert set(found.stored[4:]) == set(found.stored_groups().schema.names)
    assert found.groups.algebraic and found.groups.aggregate is GROUPED
    written = show(found.computed())
    assert "StoredRecursion" not in written and "Scan(orders" in written


def test_a_limit_over_groups_is_a_summary_where_states_take_every_change() -> None:
    """Then no source is read but for its change; elsewhere the first groups are stored in less space."""
    extremes = Aggregate(ORDERS, (named("id"),), (named("n", "MAX(amount)"),))
    lists = Aggregate(ORDERS, (named("id"),), (named("n", "COUNT(DISTINCT amount)"),))

    assert summary(first(GROUPED)) is not None
    assert summary(first(Filter(GROUPED, scalar("n > 1")))) is not None
    assert summary(first(extremes)) is None
    assert summary(first(lists)) is None


def test_windows_and_limits_over_one_grouping_are_summaries() -> None:
    """With projections, conditions and limits between; whatever else stands there needs other rows."""
    stored: tuple[Op, ...] = (RANKED, Filter(RANKED, scalar("r < 3")), Project(RANKED, (named("r"),)), first(RANKED))
    for plan in stored:
        assert summary(plan) is not None, plan
    assert summary(Window(first(GROUPED), (), RANK)) is not None
    two = Join(RANKED, renaming(ORDERS, ("other", "price")), scalar("id = other"))
    total = Window(Aggregate(ORDERS, (), (named("n", "COUNT(*)"),)), (), RANK)
    others: tuple[Op, ...] = (GROUPED, Distinct(RANKED), two, total, Window(ORDERS, (), RANK))
    for plan in others:
        assert summary(plan) is None, plan


def test_what_a_condition_hides_has_no_values_and_no_count() -> None:
    """Rows that are seen are never in one partition with others."""
    text = above(Window(Filter(GROUPED, scalar("n > 1")), (), RANK))

    assert "COALESCE(n > 1, FALSE) AS __trickle_seen" in text
    assert "CASE WHEN __trickle_seen THEN n ELSE NULL END AS n" in text
    assert "RANK() OVER (PARTITION BY __trickle_seen ORDER BY n)" in text
    assert "CASE WHEN __trickle_seen THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END AS __trickle_count" in text
    assert "__trickle_seen AND COALESCE(r < 3, FALSE) AS __trickle_seen" in above(
        Filter(Window(Filter(GROUPED, scalar("n > 1")), (), RANK), scalar("r < 3"))
    )


def test_a_limit_hides_all_rows_but_the_first() -> None:
    """Their place is counted like a window's answer, among those that are seen, and is shown to nobody."""
    found = summary(first(RANKED))
    assert found is not None
    text = show(found.above).replace("`", "")

    assert "ROW_NUMBER() OVER (ORDER BY n DESC" in text
    assert "COALESCE(__trickle_row > 1 AND __trickle_row <= 4, FALSE) AS __trickle_seen" in text
    assert "__trickle_row" not in found.stored
    inner = [op for op in walk(found.above) if isinstance(op, Project) and "__trickle_row" in op.schema]
    assert inner and all("__trickle_rows" in op.schema for op in inner), "the group stays beside its row"
    again = summary(first(first(RANKED, 9, 0)))
    assert again is not None and "__trickle_row" not in again.stored


def test_every_column_comes_from_below() -> None:
    """However projections, conditions, windows and limits follow each other."""
    shown = (named("n"), named("more", "r + 1"))
    above_all = Filter(Project(first(RANKED), shown), scalar("more > 1"))
    for plan in (
        above_all,
        first(above_all),
        Window(first(Filter(RANKED, scalar("r < 9"))), (), (named("again", "RANK() OVER (ORDER BY n)"),)),
    ):
        found = summary(plan)
        assert found is not None
        for op in walk(found.above):
            if isinstance(op, Project):
                asked = {name for item in op.items for name in item.value.columns}
                assert asked <= set(op.child.schema.names), op.items


def test_a_key_that_no_table_can_hold_makes_none() -> None:
    """It would have to be stored."""
    span = named("age", "CAST(NULL AS INTERVAL DAY TO SECOND)")
    keyed = Aggregate(ORDERS, (named("id"), span), (named("n", "COUNT(*)"),))
    assert summary(Window(keyed, (), RANK)) is None
