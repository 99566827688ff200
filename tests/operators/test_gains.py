"""Where a side only gains rows, whatever its new rows match has a match from then on: it is not asked again."""

from __future__ import annotations

import pytest

from tests.operators.plans import LINES, ORDERS, named, scalar
from trickle.delta.differentiate import SourceChange, differentiate
from trickle.delta.nonnegative import only_adds
from trickle.delta.simplify import simplify
from trickle.operators import Aggregate, Feed, Filter, Moment, Negate, OuterJoin, Project, Scan, SemiJoin
from trickle.operators.gains import only_gains
from trickle.plan.op import Op, walk

ON = scalar("id = order_id")
NEW = Feed("lines", "lines", LINES.columns, only_inserts=True)
CHANGED = Feed("lines", "lines", LINES.columns, only_inserts=False)
LARGE = Filter(LINES, scalar("pieces > 1"))


@pytest.mark.parametrize(
    ("delta", "gains"),
    [
        (NEW, True),
        (Filter(NEW, scalar("pieces > 1")), True),
        (Project(Filter(NEW, scalar("pieces > 1")), (named("order_id"),)), True),
        (CHANGED, False),
        (Filter(CHANGED, scalar("pieces > 1")), False),
        (Negate(NEW), False),
        (Aggregate(NEW, (named("order_id"),), (named("n", "COUNT(*)"),)), False),
    ],
)
def test_new_rows_of_a_source_filtered_and_projected(delta: Op, gains: bool) -> None:
    """Of anything else nothing is claimed."""
    assert only_gains(delta) is gains


def moments(op: Op, only_inserts: bool) -> list[str]:
    """The moments at which lines are read, for a change of them."""
    delta = simplify(differentiate(op, {"lines": SourceChange(only_inserts=only_inserts)}).delta)
    scans = [one for one in walk(delta) if isinstance(one, Scan) and one.source == "lines"]
    return sorted({("before" if one.at is Moment.BEFORE else "after") for one in scans})


@pytest.mark.parametrize("right", [LINES, LARGE], ids=["table", "filtered"])
@pytest.mark.parametrize("anti", [False, True])
def test_only_the_rows_of_before_are_looked_into(right: Op, anti: bool) -> None:
    """A row that a new one matches had no match before, or nothing changes for it."""
    plan = SemiJoin(ORDERS, right, ON, anti)

    assert moments(plan, only_inserts=True) == ["before"]
    assert moments(plan, only_inserts=False) == ["after", "before"]


def test_an_outer_join_pads_no_row_that_a_new_one_matches() -> None:
    """Of those that it meets it asks which were padded."""
    plan = OuterJoin(ORDERS, LINES, ON, full=False)

    assert moments(plan, only_inserts=True) == ["before"]
    assert moments(plan, only_inserts=False) == ["after", "before"]


def test_rows_with_a_first_match_are_added() -> None:
    """So EXISTS over tables that only grow can be appended to; NOT EXISTS cannot."""
    grows = {name: SourceChange(only_inserts=True) for name in ("orders", "lines")}

    assert only_adds(simplify(differentiate(SemiJoin(ORDERS, LINES, ON, anti=False), grows).delta))
    assert not only_adds(simplify(differentiate(SemiJoin(ORDERS, LINES, ON, anti=True), grows).delta))
