"""time_below_groups: what a grouping asks the clock is computed below it, once."""

from __future__ import annotations

from tests.operators.plans import ORDERS, named, scalar
from tests.passes.test_part_conditions import NOW, asking
from trickle.operators import Aggregate, Filter, Project
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.show import show
from trickle.rewrite.time_below_groups import time_below_groups


def timed(name: str, text: str) -> Named:
    return Named(name, asking(text))


def shown(op: Op) -> str:
    return show(op).replace(Scalar(NOW.tree()).text, "now").replace("`", "")


def test_arguments_become_columns() -> None:
    """Beside all the columns there are."""
    grouped = Aggregate(ORDERS, (named("id"),), (timed("s", "SUM(IF(id > now, amount, 0))"), named("n", "COUNT(*)")))

    assert shown(time_below_groups(grouped)) == (
        "Aggregate(id; SUM(at_instant) AS s, COUNT(*) AS n)\n"
        "  Project(id, amount, IF(id > now, amount, 0) AS at_instant)\n"
        "    Scan(orders; orders; id, amount; after)"
    )


def test_the_same_expression_is_one_column() -> None:
    """In a key and in a measure, and under DISTINCT and FILTER."""
    measures = (timed("s", "SUM(id - now)"), timed("d", "COUNT(DISTINCT id - now, amount)"))
    filtered = timed("f", "COUNT(*) FILTER (WHERE amount > now)")
    grouped = Aggregate(ORDERS, (timed("k", "id - now"),), (*measures, filtered))

    assert shown(time_below_groups(grouped)) == (
        "Aggregate(at_instant AS k; SUM(at_instant) AS s, COUNT(DISTINCT at_instant, amount) AS d,"
        " COUNT(*) FILTER(WHERE at_instant_2) AS f)\n"
        "  Project(id, amount, id - now AS at_instant, amount > now AS at_instant_2)\n"
        "    Scan(orders; orders; id, amount; after)"
    )


def test_new_columns_have_new_names() -> None:
    """Also where the plan has columns that are called like ours."""
    below = Project(ORDERS, (named("at_instant", "id"), named("amount")))
    grouped = Aggregate(below, (), (timed("s", "SUM(amount - now)"),))

    assert "SUM(at_instant_2) AS s" in shown(time_below_groups(grouped))


def test_what_asks_no_clock_is_left_alone() -> None:
    """The plan itself comes back; so does a key that asks nothing beside one that does."""
    plain = Filter(Aggregate(ORDERS, (named("id"),), (named("s", "SUM(amount)"),)), scalar("s > 1"))
    both = Aggregate(ORDERS, (named("id"), timed("k", "amount - now")), (named("n", "COUNT(*)"),))

    assert time_below_groups(plain) is plain
    assert shown(time_below_groups(both)).startswith("Aggregate(id, at_instant AS k; COUNT(*) AS n)")
