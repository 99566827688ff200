"""split_padding: groups that only count and add up the right side of an outer join read pairs and padded rows apart."""

from __future__ import annotations

import pytest

from tests.operators.plans import named, scalar, scan
from trickle.operators import Aggregate, OuterJoin, Project, UnionAll
from trickle.plan.op import Op
from trickle.rewrite.split_padding import split_padding

LEFT, RIGHT = scan("l", "a", "b"), scan("r", "c", "d")
PADDED = OuterJoin(LEFT, RIGHT, scalar("a = c"), full=False)


def grouped(child: Op, *calls: str, key: str = "b") -> Aggregate:
    return Aggregate(child, (named("k", key),), tuple(named(f"m{n}", call) for n, call in enumerate(calls)))


@pytest.mark.parametrize(
    "call",
    ["COUNT(c)", "SUM(d)", "AVG(d + 1)", "MIN(d)", "MAX(b * d)", "COUNT(DISTINCT d)", "SUM(CAST(d AS BIGINT))"],
)
def test_calls_that_ignore_padded_rows(call: str) -> None:
    """A row in which their argument is NULL changes nothing."""
    plan = split_padding(grouped(PADDED, "COUNT(c)", call))

    assert isinstance(plan, Aggregate) and isinstance(plan.child, UnionAll)
    padded, pairs = plan.child.inputs
    assert isinstance(padded, Project) and padded.child is LEFT
    assert pairs.children == (LEFT, RIGHT)
    assert plan.schema == grouped(PADDED, "COUNT(c)", call).schema


@pytest.mark.parametrize(
    "call", ["COUNT(*)", "COUNT(1)", "SUM(b)", "COUNT(a)", "SUM(COALESCE(d, 1))", "COUNT(c, d)", "COLLECT_LIST(b)"]
)
def test_calls_that_see_every_left_row(call: str) -> None:
    """Each left row would be counted once more."""
    plan = grouped(PADDED, "COUNT(c)", call)

    assert split_padding(plan) is plan


def test_keys_of_the_right_side_and_full_joins_stay() -> None:
    """A matched left row is in no group of the right side's NULL; unmatched right rows are no pairs."""
    by_right = grouped(PADDED, "COUNT(c)", key="d")
    full = grouped(OuterJoin(LEFT, RIGHT, scalar("a = c"), full=True), "COUNT(c)")

    assert split_padding(by_right) is by_right
    assert split_padding(full) is full


def test_a_projection_between_is_looked_through() -> None:
    """The calls are over its columns."""
    projected = Project(PADDED, (named("k", "b"), named("x", "d * 2"), named("y", "COALESCE(d, 0)")))
    counted = split_padding(Aggregate(projected, (named("k", "k"),), (named("m", "SUM(x)"),)))
    coalesced = Aggregate(projected, (named("k", "k"),), (named("m", "SUM(y)"),))

    assert isinstance(counted.children[0].children[0], UnionAll)
    assert split_padding(coalesced) is coalesced
