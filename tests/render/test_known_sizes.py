"""A statement is planned once where Spark could learn nothing while it runs: every join sends a side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.facts import compiled
from tests.operators.plans import named, scalar, scan
from tests.snapshots.shop import CONTRACT, last_stamp, probes, resolve
from trickle import Column, Options, RefreshMode, RefreshPlan, Request, Schema, Target, plan_refresh
from trickle.apply.price import Rates
from trickle.catalog.happened import Appended, Changed
from trickle.catalog.probe import TableSize, Volume
from trickle.operators import (
    Aggregate,
    Consolidate,
    Feed,
    Filter,
    Join,
    Lookup,
    MarkJoin,
    OuterJoin,
    Recompute,
    Recursion,
    Restrict,
    Scan,
    SemiJoin,
    TouchedKeys,
    UnionAll,
    Within,
    Working,
)
from trickle.plan.op import Op
from trickle.plan.ranges import Ranges
from trickle.plan.row_counts import RowCounts
from trickle.render.known_sizes import joins_are_known, sizes_are_known
from trickle.render.reads import Binding, Reads
from trickle.render.small import FEW_ROWS
from trickle.sql.build import table

LARGE, OTHER, FEW = (scan(name, f"{name}_k", f"{name}_v") for name in ("large", "other", "few"))
BINDING = Binding(
    {
        "large": Reads(table(("large",))),
        "other": Reads(table(("other",))),
        "few": Reads(table(("few",)), small=True, small_table=True),
        "much": Reads(table(("much",))),
        "fewer": Reads(table(("fewer",))),
    },
    counts=RowCounts({"large": 1_000_000, "other": 1_000_000, "few": 10, "fewer": 100}, {"few": 10}),
)
ON = scalar("large_k = few_k")


def changes(source: Scan) -> Feed:
    return Feed(source.source, source.alias, source.columns, only_inserts=False)


FEED, MUCH = changes(FEW), changes(scan("much", "much_k", "much_v"))
KEYS = TouchedKeys(FEED, (named("few_k"),))
BY = (named("few_k", "large_k"),)
OTHER_FEW = scan("fewer", "fewer_k", "fewer_v")
"""A table too large to be sent, of which a key takes ten rows: it has ten times as many as the keys' own."""
BY_FEW, ON_FEW = (named("few_k", "fewer_k"),), scalar("few_k = fewer_k")


@pytest.mark.parametrize(
    ("op", "known"),
    [
        (LARGE, True),
        (Aggregate(LARGE, (named("large_k"),), (named("n", "COUNT(*)"),)), True),
        (Join(FEED, LARGE, ON), True),
        (Join(LARGE, FEED, ON), True),
        (Join(LARGE, FEW, ON), True),
        (Join(LARGE, OTHER, scalar("large_k = other_k")), False),
        (Join(LARGE, MUCH, scalar("large_k = much_k")), False),
        (SemiJoin(LARGE, FEED, ON, anti=False), True),
        (SemiJoin(LARGE, FEED, ON, anti=True), True),
        (SemiJoin(FEED, LARGE, ON, anti=False), False),
        (SemiJoin(FEED, Restrict(LARGE, KEYS, BY), ON, anti=False), False),
        (SemiJoin(FEED, Restrict(OTHER_FEW, KEYS, BY_FEW), scalar("few_k = fewer_k"), anti=True), True),
        (SemiJoin(FEED, Within(LARGE, "large_k", Ranges(((1, 2),)), 0.1), ON, anti=False), True),
        (SemiJoin(FEED, Within(LARGE, "large_k", Ranges(((1, 2),)), 0.9), ON, anti=False), False),
        (SemiJoin(FEED, SemiJoin(OTHER_FEW, KEYS, scalar("few_k = fewer_k"), anti=False), ON_FEW, anti=False), True),
        (SemiJoin(FEED, Aggregate(Restrict(LARGE, KEYS, BY), (named("large_k"),), ()), ON, anti=True), True),
        (
            SemiJoin(FEED, Aggregate(Restrict(LARGE, KEYS, BY), (named("large_k", "large_v"),), ()), ON, anti=True),
            False,
        ),
        (MarkJoin(LARGE, FEW, ON, "m"), True),
        (MarkJoin(FEW, LARGE, ON, "m"), False),
        (OuterJoin(LARGE, FEW, ON, full=False), True),
        (OuterJoin(FEW, LARGE, ON, full=False), False),
        (OuterJoin(LARGE, FEW, ON, full=True), False),
        (Restrict(LARGE, KEYS, BY), True),
        (Restrict(FEED, TouchedKeys(LARGE, (named("large_k"),)), (named("large_k", "few_k"),)), False),
        (Lookup(KEYS, LARGE, (("few_k", "large_k"),)), False),
        (Recompute(Schema((Column("a", "int"),)), ()), False),
    ],
)
def test_every_kind_of_join(op: Op, known: bool) -> None:
    """One side is small, and Spark can send it: not the one whose unmatched rows are kept."""
    assert joins_are_known(op, BINDING) is known


def test_a_recursion_is_as_long_as_its_rows_say() -> None:
    """How often its step runs nobody knows before."""
    rounds = Recursion(FEW, Working("w", FEW.schema), "w")

    assert not joins_are_known(rounds, BINDING)


def test_one_unknown_join_is_enough() -> None:
    """Wherever it lies in the plan."""
    unknown = Join(LARGE, OTHER, scalar("large_k = other_k"))
    known = Join(FEED, LARGE, ON)

    assert joins_are_known(UnionAll((known, Filter(known, scalar("large_v > 1")))), BINDING)
    assert not joins_are_known(Join(unknown, FEED, ON), BINDING)


def test_joins_of_a_change_may_follow_each_other() -> None:
    """As long as what they meet is known to be few rows: the next table is met by those."""
    once = Join(FEED, LARGE, ON)
    twice = Join(once, OTHER, scalar("large_v = other_k"))
    uncounted = replace(BINDING, counts=RowCounts())
    many = replace(BINDING, counts=replace(BINDING.counts, changed={"few": 10 * FEW_ROWS}))

    assert joins_are_known(once, BINDING) and joins_are_known(twice, replace(BINDING, counts=counted(100_000)))
    assert not joins_are_known(twice, uncounted)
    assert not joins_are_known(twice, many)


def counted(large: int) -> RowCounts:
    return RowCounts({"large": large, "other": large, "few": 1_000}, {"few": 10})


def test_sizes_are_known_of_few_rows_only() -> None:
    """They are sent to what is stored."""
    few, many = Consolidate(FEED), Consolidate(MUCH)

    assert sizes_are_known(few, BINDING)
    assert joins_are_known(many, BINDING)
    assert not sizes_are_known(many, BINDING)
    assert not sizes_are_known(SemiJoin(FEED, LARGE, ON, anti=False), BINDING)


ROWS = "SELECT order_id, amount FROM shop.orders WHERE status = 'paid'"
JOINED = "SELECT o.order_id, c.name FROM shop.orders AS o JOIN shop.customers AS c USING (customer_id)"
KEPT = "SELECT o.order_id, c.name FROM shop.orders AS o LEFT JOIN shop.customers AS c USING (customer_id)"
TOTALS = "SELECT customer_id, SUM(amount) AS total FROM shop.orders GROUP BY customer_id"
BY_COUNTRY = (
    "SELECT country, SUM(amount) AS total FROM shop.orders JOIN shop.customers USING (customer_id) GROUP BY country"
)
MEDIANS = "SELECT customer_id, MEDIAN(amount) AS middle FROM shop.orders GROUP BY customer_id"
FIRST = f"{TOTALS} ORDER BY total LIMIT 2"
NEVER = 1e6
ONLY_MERGE, ONLY_OVERWRITE = Rates(overwrite=NEVER), Rates(merge=NEVER)
APPENDED: Mapping[str, type[object]] = {"shop.orders": Appended}
CHANGED: Mapping[str, type[object]] = {"shop.orders": Changed}


def planned(
    query: str, happened: Mapping[str, type[object]], changed: int, stored: int, rates: Rates = ONLY_MERGE
) -> RefreshPlan:
    """A change of tables that are too large for one task, by the strategy that the rates leave."""
    view = compiled(query, resolve, None, Options(refresh_mode=RefreshMode.INCREMENTAL))
    size, volume = TableSize(1_000_000, 10_000_000, 50), Volume(added=changed, bytes=10 * changed, files=20)
    seen = {
        name: replace(probe, size=size, volume=volume if probe.changes is not None else probe.volume)
        for name, probe in probes(view, happened).items()
    }
    target = Target(("shop", "m"), ("shop", "m__trickle"), rows=stored, bytes=10 * stored, files=50, exists=True)
    return plan_refresh(view, target, last_stamp(view), seen, Request("model.shop.m", 2_000, CONTRACT, rates=rates))


SMALL, BIG = 10, FEW_ROWS + 1


@pytest.mark.parametrize(
    ("strategy", "query", "happened", "rates", "by_change", "by_stored"),
    [
        ("append", ROWS, APPENDED, ONLY_MERGE, False, False),
        ("append", JOINED, APPENDED, ONLY_MERGE, True, False),
        ("recount", JOINED, CHANGED, ONLY_MERGE, True, False),
        ("merge_by_key", TOTALS, CHANGED, ONLY_MERGE, True, False),
        ("merge_by_key", BY_COUNTRY, CHANGED, ONLY_MERGE, True, False),
        ("overwrite", TOTALS, CHANGED, ONLY_OVERWRITE, True, True),
        ("overwrite", BY_COUNTRY, CHANGED, ONLY_OVERWRITE, True, True),
        ("overwrite", FIRST, CHANGED, ONLY_OVERWRITE, False, True),
    ],
)
def test_what_makes_a_strategy_known(
    strategy: str, query: str, happened: Mapping[str, type[object]], rates: Rates, by_change: bool, by_stored: bool
) -> None:
    """A small change of a small table is; where the change is sent it must be few, and where all is written, that.

    An append that joins nothing is written as it is read, however much it is.
    """
    plans = [planned(query, happened, *sizes, rates) for sizes in ((SMALL, SMALL), (BIG, SMALL), (SMALL, BIG))]

    assert {plan.strategy for plan in plans} == {strategy}
    assert [plan.is_planned_once for plan in plans] == [True, not by_change, not by_stored]


@pytest.mark.parametrize(("query", "happened"), [(MEDIANS, CHANGED), (KEPT, APPENDED)])
def test_what_meets_a_large_table_as_a_whole_is_planned_as_it_runs(
    query: str, happened: Mapping[str, type[object]]
) -> None:
    """Groups that are read again, and rows that are kept without a match."""
    assert not planned(query, happened, SMALL, SMALL).is_planned_once
