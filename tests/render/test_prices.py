"""What the plan of a refresh says its strategies would cost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.facts import compiled
from tests.snapshots.shop import CONTRACT, last_stamp, probes, resolve
from trickle import Action, RefreshPlan, Request, Target, plan_refresh
from trickle.apply.price import Rates
from trickle.catalog.happened import Appended, Changed
from trickle.catalog.source_files import DataFiles, SourceFiles
from trickle.planning.learned_prices import ESTIMATED, LEARNED

MODELS = (
    "SELECT customer_id, SUM(amount) AS total FROM shop.orders GROUP BY customer_id",
    "SELECT order_id, amount FROM shop.orders WHERE status = 'paid'",
    "SELECT order_id, amount FROM shop.orders ORDER BY amount DESC LIMIT 3",
    "SELECT order_id, RANK() OVER (ORDER BY amount) AS place FROM shop.orders",
    "SELECT status, RANK() OVER (ORDER BY COUNT(*)) AS place FROM shop.orders GROUP BY status",
)
WHOLE = frozenset({"overwrite", "overwrite_touched", "replace_top"})
"""Strategies that read all stored rows and write them anew."""


def prices(text: str, *paths: str) -> dict[str, float]:
    view = compiled(text, resolve)
    target = Target(("shop", "example"), ("shop", "example__trickle"), rows=1_000, exists=True, paths=paths)
    seen = probes(view, {"shop.orders": Changed})
    return plan_refresh(view, target, last_stamp(view), seen, Request("m", 2_000, CONTRACT)).prices


def test_stored_rows_cost_less_where_they_are_read_by_their_files() -> None:
    """Only what writes the storage anew reads them so; recomputing costs what it did."""
    for text in MODELS:
        by_table, by_files = prices(text), prices(text, "/shop/example.parquet")
        cheaper = {name for name, price in by_files.items() if price < by_table[name]}
        assert cheaper == WHOLE & by_table.keys() != set(), text
        assert all(by_files[name] == by_table[name] for name in by_table.keys() - cheaper), text


def test_what_past_refreshes_took_decides() -> None:
    """Estimates are multiplied by it, and the stamp hands it on beside the estimate by the rates alone."""
    view = compiled(MODELS[0], resolve)
    target = Target(("shop", "example"), ("shop", "example__trickle"), rows=1_000, exists=True)
    seen = probes(view, {"shop.orders": Changed})

    def planned(learned: dict[str, float]) -> RefreshPlan:
        return plan_refresh(view, target, last_stamp(view), seen, Request("m", 2_000, CONTRACT, learned=learned))

    usual = planned({})
    tried = {name: 1.0 for name in usual.prices if name != "full"}
    slow_full = planned({"full": 100.0, **tried})
    slow_changes = planned({name: 100.0 for name in usual.prices if name != "full"})

    assert slow_full.action is Action.INCREMENTAL and slow_changes.action is Action.FULL
    assert slow_full.prices["full"] == pytest.approx(100 * usual.prices["full"], rel=0.01)
    assert slow_full.stamp is not None and slow_changes.stamp is not None
    assert slow_full.stamp.extra[LEARNED] == {"full": 100.0, **tried}
    assert slow_full.stamp.extra[ESTIMATED] == pytest.approx(usual.prices[slow_full.strategy], abs=0.01)
    assert slow_changes.stamp.extra[ESTIMATED] == pytest.approx(usual.prices["full"], abs=0.01)


def test_a_strategy_that_never_ran_is_believed_as_much_as_recomputing() -> None:
    """Otherwise a machine faster than the rates would never try it: only FULL's price would have come down."""
    view = compiled(MODELS[0], resolve)
    target = Target(("shop", "example"), ("shop", "example__trickle"), rows=1_000, exists=True)
    seen = probes(view, {"shop.orders": Changed})
    request = Request("m", 2_000, CONTRACT)
    usual = plan_refresh(view, target, last_stamp(view), seen, request).prices
    fast = plan_refresh(view, target, last_stamp(view), seen, replace(request, learned={"full": 0.1})).prices

    for name, price in usual.items():
        assert fast[name] == pytest.approx(price / 10, abs=0.01)


def test_of_another_way_to_bring_in_a_change_more_is_known() -> None:
    """The change has been computed here before: that is the larger part of either."""
    view = compiled(MODELS[0], resolve)
    target = Target(("shop", "example"), ("shop", "example__trickle"), rows=1_000, exists=True)
    seen = probes(view, {"shop.orders": Changed})
    request = Request("m", 2_000, CONTRACT)
    usual = plan_refresh(view, target, last_stamp(view), seen, request).prices
    known = {"full": 0.1, "merge_by_key": 3.0}
    prices = plan_refresh(view, target, last_stamp(view), seen, replace(request, learned=known)).prices

    for name, price in usual.items():
        assert prices[name] == pytest.approx(price * known.get(name, 3.0), rel=0.02)


def test_a_table_that_delta_reads_costs_its_listing() -> None:
    """Delta replays the log each time that a statement names the table; its files, read by their paths, need no log."""
    view = compiled(MODELS[1], resolve)
    target = Target(("shop", "example"), ("shop", "example__trickle"), rows=1_000, exists=True)
    seen = probes(view, {"shop.orders": Appended})
    files = DataFiles(("/shop/orders/1.parquet",), ())
    by_files = {name: replace(probe, files=SourceFiles(files, files, files)) for name, probe in seen.items()}
    listed, read = (
        plan_refresh(view, target, last_stamp(view), given, Request("m", 2_000, CONTRACT)).prices
        for given in (seen, by_files)
    )

    for name in ("append", "full"):
        assert listed[name] - read[name] == pytest.approx(Rates().listing, abs=0.011)
