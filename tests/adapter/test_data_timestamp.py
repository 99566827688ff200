"""The instant in a statement is the instant in its stamp, also through several stream tables."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from pathlib import Path

import pytest

from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.catalog.spark_catalog import SparkCatalog
from dbt.adapters.trickle.refreshing.checks import exact_check, state_check
from dbt.adapters.trickle.refreshing.decision import Decision
from dbt.adapters.trickle.refreshing.refresh import refresh_of
from tests.adapter.lake import Lake
from trickle import Action, Failure, RefreshPlan, Stamp, step_sql
from trickle.apply.steps import Create

SHOWS = "SELECT a, current_timestamp() AS b FROM s.{}"
BOTH = "SELECT l.a, current_timestamp() AS b FROM s.m AS l JOIN s.t AS x ON l.a = x.a"
FILTERS = "SELECT a, current_timestamp() AS b FROM s.m WHERE a > unix_timestamp() / 1000000"
COUNTS = "SELECT a, COUNT(*) AS n, current_timestamp() AS b FROM s.m GROUP BY a"
INSTANT = re.compile(r"CAST\('([^']*)' AS TIMESTAMP\)")


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """Two base tables, and one stream table over the first."""
    found = Lake(tmp_path)
    found.table("r")
    found.table("t", table_id="two")
    for sql in (SHOWS.format("m"), SHOWS.format("d"), BOTH, FILTERS):
        found.analyst.of[sql] = (("a", "int"), ("b", "timestamp"))
    found.analyst.of[COUNTS] = (("a", "int"), ("n", "bigint"), ("b", "timestamp"))
    found.refresh("m", "SELECT a, b FROM s.r", "run-1")
    return found


def shown(plan: RefreshPlan) -> set[str]:
    """The instants in the statements of a refresh."""
    data = [step.query if isinstance(step, Create) else step_sql(step) for step in (*plan.stages, *plan.writes)]
    return {found for text in data for found in INSTANT.findall(text)}


def recorded(stamp: Stamp | None) -> str:
    """The instant of a stamp as a statement writes it."""
    assert stamp is not None, "the refresh wrote nothing"
    shown_at = datetime.fromtimestamp(stamp.data_timestamp / 1000, timezone.utc)
    return shown_at.strftime("%Y-%m-%d %H:%M:%S.%f")[:-3] + "+00:00"


def assert_one_instant(lake: Lake, decision: Decision, before: Stamp | None = None) -> None:
    """Statement, fallback, stamp and both checks have the same instant; a change may also name the one it replaces."""
    after = recorded(decision.stamp)
    known = {after} | ({recorded(before)} if before is not None else set())
    assert after in shown(decision.plan) <= known
    if decision.plan.action in (Action.APPEND, Action.INCREMENTAL):
        instead = refresh_of(decision).instead(Failure("ARITHMETIC_OVERFLOW", "22003", ""))
        assert instead is not None
        assert shown(instead.plan) == {recorded(instead.plan.stamp)} == {after}
    model = str(decision.relation.identifier)
    warehouse = SourceCatalog(SparkCatalog(lambda schema, name: lake.folder / schema / name, lake._ask), "s")  # noqa: SLF001
    for check in (exact_check, state_check):
        text = check(("s", model), ("s", f"{model}__trickle"), lake.storage(model), warehouse, lake.analyst)
        assert set(INSTANT.findall(text)) == {after}


@pytest.mark.parametrize("sql", [SHOWS.format("m"), BOTH, FILTERS, COUNTS])
def test_a_shown_clock_over_a_stream_table(lake: Lake, sql: str) -> None:
    """At the first build, after appends and updates of either base table, and after a whole rebuild."""
    built = lake.refresh("d", sql, "run-1")
    assert_one_instant(lake, built)
    for run, (change, full) in enumerate([("r", False), ("t", False), ("r", True), ("r", False)], 2):
        lake.append(change) if run % 2 else lake.update(change)
        lake.clock += 3_600_000
        lake.refresh("m", "SELECT a, b FROM s.r", f"run-{run}")
        before = lake.stamp("d")
        decision = lake.refresh("d", sql, f"run-{run}", full=full)
        if decision.plan.action is not Action.NO_DATA:
            assert_one_instant(lake, decision, before)


def test_three_stream_tables_deep(lake: Lake) -> None:
    """All of a chain shows the commit of the base table, with a refresh that has nothing to do in between."""
    for run in ("run-1", "run-2", "run-3", "run-4"):
        quiet = run == "run-3"
        if run != "run-1" and not quiet:
            lake.append("r")
        lake.refresh("m", "SELECT a, b FROM s.r", run)
        before = [lake.stamp(name) if run != "run-1" else None for name in ("d", "e")]
        chain = [lake.refresh("d", SHOWS.format("m"), run), lake.refresh("e", SHOWS.format("d"), run)]
        assert [one.plan.action is Action.NO_DATA for one in chain] == [quiet, quiet]
        for decision, earlier in zip(chain, before):
            if not quiet:
                assert_one_instant(lake, decision, earlier)
                assert decision.stamp is not None
                assert decision.stamp.data_timestamp == lake.tables["r"].clock


def test_a_source_read_at_an_older_version_shows_the_instant_of_that_version(lake: Lake) -> None:
    """The join reads t at the version that m has read, not at its newest commit."""
    joined = "SELECT l.a, current_timestamp() AS b FROM s.m AS l JOIN s.r AS x ON l.a = x.a"
    lake.analyst.of[joined] = (("a", "int"), ("b", "timestamp"))
    stood = lake.tables["r"].clock
    lake.append("r")
    decision = lake.refresh("d", joined, "run-2")

    assert_one_instant(lake, decision)
    assert decision.stamp is not None and decision.stamp.data_timestamp == stood


def test_a_configuration_that_is_left_out(lake: Lake) -> None:
    """`on_configuration_change: continue` goes on by the standing SELECT, and by one instant."""
    lake.refresh("d", SHOWS.format("m"), "run-1")
    before = lake.stamp("d")
    lake.append("r")
    lake.refresh("m", "SELECT a, b FROM s.r", "run-2")
    decision = lake.refresh("d", BOTH, "run-2", on_configuration_change="continue")

    assert [one.code for one in decision.plan.notes][-1:] == ["change_not_applied"]
    assert_one_instant(lake, decision, before)


def test_maintenance_of_a_source_does_not_move_the_instant(lake: Lake) -> None:
    """OPTIMIZE is a newer commit without other rows: the instant stays, also if a condition reads the clock."""
    lake.refresh("d", FILTERS, "run-1")
    before = lake.stamp("d")
    lake.optimize("r")
    lake.clock += 2_000_000_000
    lake.refresh("m", "SELECT a, b FROM s.r", "run-2")
    decision = lake.refresh("d", FILTERS, "run-2")

    assert decision.stamp is not None
    assert decision.stamp.data_timestamp == before.data_timestamp
    assert_one_instant(lake, decision, before)
