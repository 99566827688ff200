"""In one run each log is listed once for each moment that matters, and each of its files is opened once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from dbt.adapters.trickle.history.delta_files import last_stamp
from dbt.adapters.trickle.history.histories import Histories
from dbt.adapters.trickle.monitoring.status import statuses
from dbt.adapters.trickle.monitoring.targets import targets_of
from tests.adapter.counting_store import CountingStore
from tests.adapter.fabricated import FabricatedProject
from tests.adapter.lake import Lake
from tests.adapter.log_builder import LogBuilder

SQL = "select a, b from s.orders"
MANY = tuple(f"m{number}" for number in range(50))


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """A source of two commits, and a stream table that has read it."""
    lake = Lake(tmp_path)
    lake.table("orders")
    lake.refresh("m", SQL, "before")
    return lake


def run(lake: Lake, models: tuple[str, ...] = ("m",), sql: str = SQL) -> tuple[CountingStore, set[str]]:
    """One run of dbt; returns its reads and its outcome."""
    store = CountingStore()
    lake.histories = Histories(store)
    actions = set()
    for model in models:
        decision = lake.refresh(model, sql, f"run {lake.clock}")
        actions.add(decision.plan.action.value)
        if decision.stamp is not None:
            # As the executor does after its commit.
            assert last_stamp(lake.histories.of(decision.log.path)) is not None
    assert max(store.reads.values()) == 1
    return store, actions


def test_a_refresh_without_data_lists_both_logs_once(lake: Lake) -> None:
    store, actions = run(lake)
    assert actions == {"NO_DATA"}
    assert store.listings == {"orders": 1, "m__trickle": 1}
    assert (store.read_of("orders"), store.read_of("m__trickle")) == (2, 2)


def test_an_append_opens_each_new_commit_once(lake: Lake) -> None:
    """The storage is listed again after its own commit, of which nothing but that commit is read.

    Of the source, the commits since it was last written whole are read as well: they name its files.
    """
    lake.append("orders")
    lake.append("orders")
    store, actions = run(lake)
    assert actions == {"APPEND"}
    assert store.listings == {"orders": 1, "m__trickle": 2}
    assert store.read_of("orders") == 5
    assert store.read_of("m__trickle") == 3


def test_an_incremental_refresh_opens_each_new_commit_once(lake: Lake) -> None:
    lake.update("orders")
    store, actions = run(lake)
    assert actions == {"INCREMENTAL"}
    assert store.listings == {"orders": 1, "m__trickle": 2}
    assert (store.read_of("orders"), store.read_of("m__trickle")) == (5, 3)


def test_a_new_definition_opens_nothing_twice(lake: Lake) -> None:
    store, actions = run(lake, sql=f"{SQL} where a > 1")
    assert actions == {"REINITIALIZE"}
    assert store.listings == {"orders": 1, "m__trickle": 2}
    assert (store.read_of("orders"), store.read_of("m__trickle")) == (2, 3)


def test_a_source_of_fifty_models_is_listed_once(lake: Lake) -> None:
    """Whether they are built, have nothing to do, or append."""
    built, first = run(lake, MANY)
    idle, second = run(lake, MANY)
    lake.append("orders")
    appended, third = run(lake, MANY)
    assert (first, second, third) == ({"FULL"}, {"NO_DATA"}, {"APPEND"})
    assert [store.listings["orders"] for store in (built, idle, appended)] == [1, 1, 1]
    assert [store.read_of("orders") for store in (built, idle, appended)] == [2, 2, 4]
    assert sum(built.listings.values()) == 51
    assert sum(idle.listings.values()) == 51
    assert sum(appended.listings.values()) == 101


def test_the_status_of_fifty_models_lists_each_log_once(tmp_path: Path) -> None:
    made = FabricatedProject(tmp_path)
    made.source("orders")
    for name in MANY:
        made.model(name, "stream_table", ("orders",))
        made.refresh(name)
    made.write("orders")
    made.save()
    store = CountingStore()
    project = replace(made.loaded(), histories=Histories(store))
    found = statuses(project, targets_of(project), made.clock)
    assert {status.state for status in found} == {"behind"}
    assert store.listings == {"orders": 1, **{f"{name}__trickle": 1 for name in MANY}}
    assert max(store.reads.values()) == 1


def test_threads_share_one_listing(tmp_path: Path) -> None:
    table = LogBuilder(tmp_path / "t").create().append("f1").append("f2")
    store = CountingStore()
    histories = Histories(store)
    with ThreadPoolExecutor(8) as threads:
        logs = list(threads.map(lambda _: histories.for_reading(table.path), range(64)))
        found = list(threads.map(lambda log: (log.latest, log.commit(2).version), logs))
    assert set(found) == {(2, 2)}
    assert store.listings == {"t": 1}
    assert store.reads == {f"t/{2:020d}.json": 1}


def test_what_was_judged_is_listed_again_when_it_is_first_read(tmp_path: Path) -> None:
    """Spark may have been waited for since, and hooks may have run; later readers of the run see what the first saw."""
    table = LogBuilder(tmp_path / "t").create()
    histories = Histories()
    judged = histories.of(table.path)
    assert judged.latest == 0
    table.append("f1")
    assert histories.of(table.path).latest == 0
    first = histories.for_reading(table.path)
    assert first.latest == 1
    table.append("f2")
    assert histories.for_reading(table.path).latest == 1
    assert judged.latest == 0


def test_what_a_statement_may_have_written_is_listed_again(tmp_path: Path) -> None:
    table, other = LogBuilder(tmp_path / "t").create(), LogBuilder(tmp_path / "u").create()
    histories = Histories()
    before = [histories.for_reading(one.path).latest for one in (table, other)]
    table.append("f1")
    other.append("f1")
    assert histories.by_now(table.path).latest == 1
    assert [histories.for_reading(one.path).latest for one in (table, other)] == [1, 0]
    histories.anything_written()
    assert [histories.for_reading(one.path).latest for one in (table, other)] == [1, 1]
    assert before == [0, 0]


def test_a_table_that_was_created_again_is_read_again(tmp_path: Path) -> None:
    """Its commits have the names of those that were there before."""
    table = LogBuilder(tmp_path / "t").create(table_id="one")
    histories = Histories()
    assert histories.of(table.path).definition(0).id == "one"
    again = LogBuilder(table.path, clock=5_000_000).create(table_id="another")
    assert histories.by_now(again.path).definition(0).id == "another"
