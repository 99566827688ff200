"""drop_padding: where no padded row is needed, an outer join is a join; where one may be, it stays."""

from __future__ import annotations

import pytest

from tests.operators.plans import named, scalar, scan
from trickle.operators import Aggregate, Filter, Join, OuterJoin, Project, SemiJoin, Window
from trickle.plan.op import Op, walk
from trickle.rewrite.drop_padding import drop_padding

LEFT, RIGHT, THIRD = scan("l", "a", "b"), scan("r", "c", "d"), scan("t", "e", "f")
PADDED = OuterJoin(LEFT, RIGHT, scalar("a = c"), full=False)


def joins(op: Op) -> list[str]:
    """The kinds of joins of a plan, the lowest first."""
    return [type(one).__name__ for one in walk(op) if isinstance(one, (Join, OuterJoin))]


@pytest.mark.parametrize(
    "condition",
    [
        "d > 1",
        "b < 0.2 * d",
        "b > 1 AND (d + 1 = 2)",
        "d BETWEEN 1 AND 2",
        "NOT d BETWEEN 1 AND b",
        "b BETWEEN 1 AND d",
        "d IN (1, 2)",
        "NOT d = 1",
        "NOT d IN (1, 2)",
        "NOT d IS NULL",
        "CAST(d AS INT) <> -d",
        "d LIKE 'x%'",
    ],
)
def test_a_condition_that_null_never_fulfils(condition: str) -> None:
    """It holds for no row without a match."""
    plan = drop_padding(Filter(PADDED, scalar(condition)))

    assert isinstance(plan, Filter) and isinstance(plan.child, Join)
    assert (plan.child.left, plan.child.right, plan.child.condition) == (LEFT, RIGHT, PADDED.condition)
    assert plan.condition == scalar(condition)


@pytest.mark.parametrize(
    "condition",
    [
        "b > 1",
        "d IS NULL",
        "d <=> b",
        "COALESCE(d, 1) > 0",
        "d > 1 OR b > 1",
        "NOT (d > 1 AND b > 1)",
        "NOT b BETWEEN 1 AND d",
        "NOT (b BETWEEN d AND 5)",
        "(b BETWEEN 1 AND d) = false",
        "CASE WHEN d > 1 THEN false ELSE true END",
        "IF(d IS NULL, 1, d) = 1",
        "NOT COALESCE(d, 0) IS NULL",
    ],
)
def test_a_condition_that_may_hold_for_a_row_without_match(condition: str) -> None:
    """Of the right side nothing is sure then."""
    plan = Filter(PADDED, scalar(condition))

    assert drop_padding(plan) is plan


def test_columns_are_followed_down() -> None:
    """Through projections and joins, also to an outer join on the left of another one."""
    halves = Project(PADDED, (named("b"), named("half", "d / 2")))
    above = Join(halves, THIRD, scalar("b = e"))
    both = OuterJoin(PADDED, THIRD, scalar("b = e"), full=False)

    assert joins(drop_padding(Filter(above, scalar("half > f")))) == ["Join", "Join"]
    assert joins(drop_padding(Filter(both, scalar("d > 1")))) == ["Join", "OuterJoin"]
    assert joins(drop_padding(Filter(both, scalar("f > 1")))) == ["OuterJoin", "Join"]
    assert joins(drop_padding(Filter(both, scalar("f > d")))) == ["Join", "Join"]
    assert joins(drop_padding(Filter(Filter(PADDED, scalar("b > 1")), scalar("d > 1")))) == ["Join"]
    looked = SemiJoin(PADDED, THIRD, scalar("b = e"), anti=True)
    assert joins(drop_padding(Filter(looked, scalar("d > 1")))) == ["Join"]


def test_what_needs_padded_rows_keeps_them() -> None:
    """A FULL JOIN pads both sides; a grouping, a window or a constant is another row for each."""
    full = OuterJoin(LEFT, RIGHT, scalar("a = c"), full=True)
    counted = Aggregate(PADDED, (named("d"),), (named("n", "COUNT(*)"),))
    ranked = Window(PADDED, (), (named("place", "ROW_NUMBER() OVER (ORDER BY b)"),))
    filled = Project(PADDED, (named("filled", "COALESCE(d, 1)"),))

    for op, condition in ((full, "d > 1"), (counted, "d > 1"), (ranked, "d > 1"), (filled, "filled > 1")):
        plan = Filter(op, scalar(condition))
        assert drop_padding(plan) is plan
    assert drop_padding(PADDED) is PADDED
