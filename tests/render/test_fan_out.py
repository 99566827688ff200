"""How many rows a change meets is estimated from the sizes of the sources, or not at all."""

from __future__ import annotations

import pytest

from tests.operators.plans import named, scalar, scan
from trickle.operators import (
    Aggregate,
    Consolidate,
    Feed,
    Filter,
    Join,
    MarkJoin,
    Negate,
    Project,
    Restrict,
    Scan,
    SemiJoin,
    TouchedKeys,
    UnionAll,
    Window,
    Within,
)
from trickle.plan.op import Op
from trickle.plan.ranges import Ranges
from trickle.plan.row_counts import RowCounts
from trickle.render.fan_out import RowEstimates, fan_out, rows_met, source_of

LINES = scan("lines", "l_order", "l_part")
ORDERS = scan("orders", "o_order", "o_customer")
CUSTOMERS = scan("customers", "c_customer", "c_name")
UNKNOWN = scan("unknown", "u_order", "u_name")
COUNTS = RowCounts({"lines": 6_000, "orders": 1_500, "customers": 150}, {"lines": 6, "orders": 3})


def changes(source: Scan) -> Feed:
    return Feed(source.source, source.alias, source.columns, only_inserts=False)


DLINES, DORDERS = changes(LINES), changes(ORDERS)
MET = Join(DORDERS, LINES, scalar("o_order = l_order"))
KEYS = TouchedKeys(DORDERS, (named("o_order"),))


PER_KEY = Aggregate(
    Restrict(LINES, TouchedKeys(DLINES, (named("l_part"),)), (named("l_part"),)),
    (named("p", "l_part"),),
    (named("n", "COUNT(*)"),),
)


@pytest.mark.parametrize(
    ("op", "rows"),
    [
        (LINES, 6_000),
        (DLINES, 6),
        (UNKNOWN, None),
        (changes(UNKNOWN), None),
        (Filter(LINES, scalar("l_part > 1")), 6_000),
        (Project(LINES, (named("p", "l_part"),)), 6_000),
        (Negate(DLINES), 6),
        (Consolidate(DLINES), 6),
        (Within(LINES, "l_part", Ranges(((1, 2),)), 0.1), 600),
        (Restrict(LINES, KEYS, (named("o_order", "l_order"),)), 12),
        (Restrict(LINES, TouchedKeys(DLINES, (named("l_order"),)), (named("l_order"),)), 6_000),
        (PER_KEY, 6),
        (Aggregate(PER_KEY.child, (named("l_order"), named("l_part")), ()), 6_000),
        (Restrict(LINES, KEYS, (named("o_order", "l_order + 1"),)), 6_000),
        (Restrict(UNKNOWN, KEYS, (named("o_order", "u_order"),)), None),
        (KEYS, 3),
        (SemiJoin(LINES, DORDERS, scalar("l_order = o_order"), anti=False), 12),
        (SemiJoin(DORDERS, LINES, scalar("l_order = o_order"), anti=False), 3),
        (SemiJoin(LINES, DORDERS, scalar("l_order = o_order"), anti=True), 6_000),
        (MarkJoin(DORDERS, LINES, scalar("l_order = o_order"), "m"), 3),
        (UnionAll((DLINES, DLINES, Negate(DLINES))), 18),
        (UnionAll((LINES, scan("unknown", "l_order", "l_part"))), None),
        (MET, 12),
        (Join(LINES, DORDERS, scalar("o_order = l_order")), 12),
        (Join(DLINES, ORDERS, scalar("l_order = o_order")), 6),
        (Join(MET, CUSTOMERS, scalar("o_customer = c_customer")), 12),
        (Join(DORDERS, LINES, None), None),
        (Join(DORDERS, LINES, scalar("o_order < l_order")), None),
        (Join(DORDERS, DLINES, scalar("o_order = l_order")), None),
        (Join(changes(CUSTOMERS), ORDERS, scalar("o_customer = c_customer")), None),
        (Aggregate(DLINES, (named("l_part"),), (named("n", "COUNT(*)"),)), 6),
        (Window(LINES, (), ()), None),
    ],
)
def test_the_rows_of_a_plan(op: Op, rows: float | None) -> None:
    """At most: conditions are not counted. Whatever is not known of a part is not known of the whole."""
    assert RowEstimates(COUNTS).of(op) == rows


@pytest.mark.parametrize(
    ("few", "wide", "condition", "met"),
    [
        (DLINES, ORDERS, "l_order = o_order", 1.0),
        (DORDERS, LINES, "l_order = o_order", 4.0),
        (DORDERS, LINES, "l_order <=> o_order", 4.0),
        (DORDERS, LINES, "o_order = l_order AND o_customer > l_part", 4.0),
        (DORDERS, UnionAll((LINES, LINES)), "o_order = l_order", 4.0),
        (DORDERS, Filter(LINES, scalar("l_part = 1")), "o_order = l_order", 4.0),
        (DORDERS, Join(LINES, CUSTOMERS, None), "o_order = l_order AND o_customer = c_customer", 1.0),
        (DORDERS, LINES, "o_order + 1 = l_order", None),
        (DORDERS, LINES, "o_order = l_order OR o_customer = l_part", None),
        (DORDERS, LINES, "o_order = o_customer", None),
        (DORDERS, UNKNOWN, "o_order = u_order", None),
        (DORDERS, LINES, None, None),
    ],
)
def test_how_many_rows_a_row_meets(few: Op, wide: Op, condition: str | None, met: float | None) -> None:
    """As many as there are to one of its own table, and no fewer than one; of several equalities the fewest."""
    assert fan_out(few, wide, None if condition is None else scalar(condition), COUNTS) == met


def test_a_source_without_rows_says_nothing() -> None:
    """There is nothing to divide by."""
    empty = RowCounts({"lines": 6_000, "orders": 0}, {"orders": 3})

    assert fan_out(DORDERS, LINES, scalar("o_order = l_order"), empty) is None


@pytest.mark.parametrize(
    ("equal", "met"),
    [
        ([(6_000, 1_500)], 4.0),
        ([(1_500, 6_000)], 1.0),
        ([(6_000, 1_500), (6_000, 3_000), (None, 10)], 2.0),
        ([(0, 10)], 1.0),
        ([(6_000, None), (None, 1_500), (6_000, 0)], None),
        ([], None),
    ],
)
def test_each_value_has_as_many_rows(equal: list[tuple[float | None, float | None]], met: float | None) -> None:
    """And at least one; of several columns the one that fewest rows are met by."""
    assert rows_met(equal) == met


def test_the_source_of_a_column() -> None:
    """Through new names; a computed column has none, nor has one of two sources."""
    renamed = Project(LINES, (named("a", "l_order"), named("b", "l_order + 1")))

    assert source_of(renamed, "a") == "lines"
    assert source_of(renamed, "b") is None
    assert source_of(Join(Negate(DORDERS), LINES, None), "o_order") == "orders"
    assert source_of(UnionAll((renamed, Project(DLINES, renamed.items))), "a") == "lines"
    two = scan("old", "a"), scan("new", "a")
    assert source_of(UnionAll(two), "a") is None
    assert source_of(LINES, "l_part") == "lines"
    assert source_of(Filter(LINES, scalar("l_part = 1")), "nowhere") is None
