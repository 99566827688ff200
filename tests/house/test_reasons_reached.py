"""Every reason of the catalogue is reached: a code that nothing can meet would be a promise about nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.documents.reason_examples import EXAMPLES, WITHOUT_EXAMPLE
from tests.facts import compiled
from tests.snapshots.shop import CONTRACT, Kind, last_stamp, probes, resolve
from tests.snapshots.snapshot import TARGET
from trickle import Failure, Options, Probe, RefreshMode, RefreshPlan, Request, Stamp, plan_refresh
from trickle.aggregates.maintained import SUM_OVERFLOWS
from trickle.apply.price import Rates
from trickle.apply.replace_top import ROWS_RUN_OUT
from trickle.apply.target import STORED_ROWS_DIFFER
from trickle.catalog.happened import (
    Altered,
    Appended,
    Changed,
    FeedMissing,
    First,
    HistoryLost,
    MaintenanceOnly,
    NotVersioned,
    Overwritten,
    Recreated,
    Unchanged,
)
from trickle.planning.compile import refuted
from trickle.planning.fallback import USER_RAISED
from trickle.planning.refresh import Situation, plan_instead
from trickle.reasons import RECOMPUTE, REFRESH, reason
from trickle.render.depth import RECURSION_LIMIT

ORDERS, CUSTOMERS = "shop.orders", "shop.customers"
PAID = f"SELECT order_id, amount FROM {ORDERS} WHERE status = 'paid'"
NAMED = f"SELECT o.order_id, c.name FROM {ORDERS} AS o JOIN {CUSTOMERS} AS c ON c.customer_id = o.customer_id"
RANDOM = f"SELECT order_id, UUID() AS tag FROM {ORDERS}"
FREE = Rates(append=0, overwrite=0, merge=0, stage=0, listing=0, feed=0, feed_read=0, join=0, group=0, sort=0)
"""A warehouse on which maintaining costs nothing."""

Probes = Mapping[str, Probe]


def situation_of(
    sql: str = PAID,
    happened: Kind = Changed,
    mode: RefreshMode = RefreshMode.AUTO,
    exists: bool = True,
    rates: Rates = FREE,
    threshold: float | None = None,
    told: Callable[[Probe], Probe] = lambda probe: probe,
    stamped: Callable[[Stamp], Stamp | None] = lambda stamp: stamp,
    full_refresh: bool = False,
) -> Situation:
    """One refresh, in which one thing is out of the ordinary."""
    view = compiled(sql, resolve, None, Options(refresh_mode=mode, full_refresh_threshold=threshold))
    seen = {name: told(probe) for name, probe in probes(view, {ORDERS: happened}).items()}
    request = Request("model.shop.example", 2_000, CONTRACT, full_refresh, rates=rates)
    state = stamped(last_stamp(view)) if exists else None
    return Situation(view, replace(TARGET, exists=exists), state, seen, request)


def plan_of(situation: Situation) -> RefreshPlan:
    return plan_refresh(situation.view, situation.target, situation.state, situation.probes, situation.request)


def planned(*given: Any, **out_of_the_ordinary: Any) -> RefreshPlan:
    return plan_of(situation_of(*given, **out_of_the_ordinary))


def interrupted(condition: str, sqlstate: str = "", raised: str = "") -> RefreshPlan:
    """What is done when a statement finds, too late to plan, that it cannot build upon what is stored."""
    situation = situation_of()
    inner = Failure(condition, sqlstate, "…", {"errorMessage": f"dbt-trickle [{raised}]: …"} if raised else {})
    failure = Failure("TASK_WRITE_FAILED", "58030", "…", {"path": "file:/…"}, (inner,))
    plan = plan_instead(situation, plan_of(situation), failure)
    assert plan is not None
    return plan


def without_feed(probe: Probe) -> Probe:
    assert isinstance(probe.happened, (Appended, Overwritten))
    return replace(probe, happened=replace(probe.happened, changes=None, detail="its change feed is off"))


REACHED: Mapping[str, Callable[[], RefreshPlan]] = {
    "first_build": lambda: planned(exists=False),
    "full_refresh": lambda: planned(full_refresh=True),
    "definition_changed": lambda: planned(stamped=lambda stamp: replace(stamp, definition="another")),
    "contract_changed": lambda: planned(stamped=lambda stamp: replace(stamp, contract={"time_zone": "CET"})),
    "state_missing": lambda: planned(stamped=lambda _: None),
    "source_recreated": lambda: planned(happened=Recreated),
    "source_replaced": lambda: planned(happened=Overwritten, told=without_feed),
    "source_altered": lambda: planned(happened=Altered),
    "source_unreadable": lambda: planned(happened=HistoryLost),
    "feed_missing": lambda: planned(happened=FeedMissing),
    "source_not_versioned": lambda: planned(happened=NotVersioned),
    "new_source": lambda: planned(happened=First),
    "no_source_changed": lambda: planned(happened=Unchanged),
    "only_maintenance": lambda: planned(happened=MaintenanceOnly),
    "only_added": lambda: planned(happened=Appended),
    "few_changes": lambda: planned(rates=replace(FREE, scan=0, write=100)),
    "cheaper_full": lambda: planned(NAMED, rates=Rates(merge=1e6, append=1e6, overwrite=0, feed=1e9)),
    "stored_rows_differ": lambda: interrupted(USER_RAISED, "P0001", STORED_ROWS_DIFFER),
    "rows_run_out": lambda: interrupted(USER_RAISED, "P0001", ROWS_RUN_OUT),
    "recursion_limit": lambda: interrupted(USER_RAISED, "P0001", RECURSION_LIMIT),
    "statement_too_deep": lambda: interrupted("FAILED_TO_PARSE_TOO_COMPLEX", "54001"),
    "bad_value": lambda: interrupted("DIVIDE_BY_ZERO", "22012"),
    "sum_overflows": lambda: interrupted(USER_RAISED, "P0001", SUM_OVERFLOWS),
    "forced_full": lambda: planned(mode=RefreshMode.FULL),
    "forced_incremental": lambda: planned(mode=RefreshMode.INCREMENTAL),
    "recompute": lambda: planned(RANDOM),
    "above_threshold": lambda: planned(threshold=0.0),
}


def test_every_reason_of_a_refresh_is_reached_somewhere() -> None:
    """Here, or in another test, which names the code it met."""
    here = Path(__file__)
    others = [file for file in here.parents[1].rglob("test_*.py") if file != here]
    elsewhere = [file.read_text("utf-8") for file in others]

    assert not [code for code in set(REFRESH) - set(REACHED) if not any(f'"{code}"' in text for text in elsewhere)]


@pytest.mark.parametrize("code", REACHED)
def test_the_engine_reaches_a_reason(code: str) -> None:
    """By a refresh of a small model in which one thing is out of the ordinary."""
    told = REACHED[code]().reason

    assert told.code == code
    assert "{" not in told.sentence()


def test_an_append_without_files_or_feed_lacks_a_feed() -> None:
    """The same code by the other path: rows were only added, and still nothing can read them."""
    assert planned(happened=Appended, told=without_feed).reason.code == "feed_missing"


@pytest.mark.parametrize("code", sorted(set(RECOMPUTE) - WITHOUT_EXAMPLE))
def test_every_reason_to_recompute_is_reached(code: str) -> None:
    """By its example, which the page of reasons shows."""
    found = {one.code for one in compiled(EXAMPLES[code], resolve).reasons}

    assert code in found


def test_a_text_that_spark_reads_differently_is_recomputed() -> None:
    """The one reason without an example: Spark's answer decides it."""
    view = refuted(compiled(PAID, resolve))

    assert [one.code for one in view.reasons] == ["reads_differently"]


def test_a_reason_outside_the_catalogue_is_an_error_of_ours() -> None:
    """No code is made up at the place where it is met."""
    with pytest.raises(KeyError):
        reason("because")
