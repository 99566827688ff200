"""A run of dbt while another run uses the warehouse ends well, at once, and without Spark."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dbt.adapters.trickle.warehouses.embedded.lock import Holder, other_holder
from tests.adapter.log_builder import LogBuilder, metadata
from tests.spark.dbt_project import Outcome, Project
from trickle import Frontier, SourcePosition, Stamp

HOLD = """
import sys
from pathlib import Path
from dbt.adapters.trickle.warehouses.embedded.lock import try_lock
assert try_lock(Path(sys.argv[1]), sys.argv[2]) is not None
print("held", flush=True)
sys.stdin.read()
"""


class Held:
    """A warehouse that another process has."""

    def __init__(self, folder: Path, purpose: str = "dbt") -> None:
        words = [sys.executable, "-c", HOLD, str(folder / "lock"), purpose]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None and self.process.stdout.readline() == "held\n"

    def let_go(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def shop(tmp_path: Path) -> Project:
    """Two stream tables that were never built; whoever needs Spark gives up after half a second."""
    project = Project(tmp_path, "shop", tmp_path / "warehouse")
    (project.warehouse / "data" / "shop.db").mkdir(parents=True)
    project.set_up()
    project.write("profiles.yml", profile())
    project.model("orders", "select 1 as id")
    project.model("totals", "select count(*) as n from {{ ref('orders') }}")
    return project


def profile(**keys: str) -> str:
    said = "".join(f", {key}: {value}" for key, value in keys.items())
    return f"shop: {{target: dev, outputs: {{dev: {{type: trickle, schema: shop, lock_timeout: 0.5{said}}}}}}}"


@pytest.fixture
def held(shop: Project) -> Iterator[Held]:
    holder = Held(shop.warehouse)
    yield holder
    holder.let_go()


def failed(shop: Project, *arguments: str) -> str:
    """Why a command came to nothing."""
    with pytest.raises(Exception) as failure:
        shop.dbt(*arguments)
    return str(failure.value)


def built(shop: Project, name: str, tick: int) -> None:
    """A stream table that was refreshed by the run that started at `tick`, over a source that changed right after."""
    source = LogBuilder(shop.warehouse / "data" / "raw.db" / "events")
    source.clock = tick - 60_000
    source.create(table_id="events")
    read = SourcePosition("events", 0, source.clock)
    source.clock = tick
    source.append("later.parquet", 1)
    extra = {"tick": tick}
    frontier = Frontier({"raw.events": read})
    stamp = Stamp(f"model.shop.{name}", 1, "FULL", "first_build", "create", "", {}, frontier, 0, "0.1", extra)
    storage = LogBuilder(shop.warehouse / "data" / "shop.db" / f"{name}__trickle")
    storage.commit("CREATE TABLE", metadata(table_id=name), userMetadata=stamp.to_json())


def test_a_second_run_leaves_stream_tables_to_the_first(shop: Project, held: Held) -> None:
    """It succeeds, names the process and since when, and asks Spark nothing: neither of schemas nor of relations."""
    ran = shop.dbt("run")

    assert ran.success
    assert [ran.action(name) for name in ("orders", "totals")] == ["SKIP", "SKIP"]
    assert ran.message("orders") == f"SKIP (refresh_under_way) by process {held.process.pid}"
    assert ran.response("orders")["reason_code"] == "refresh_under_way"
    assert (
        f"Process {held.process.pid} has been running dbt in this warehouse since" in ran.response("orders")["reason"]
    )


def test_nodes_that_need_the_warehouse_wait_for_it(shop: Project, held: Held) -> None:
    """Plain models, forced refreshes, and everything with `when_busy: wait` fail in one sentence after the timeout."""
    shop.write("models/plain.sql", "{{ config(materialized='table') }} select 1 as id")
    beside = shop.dbt("run")
    forced = shop.dbt("run", "-s", "orders", "--vars", "{trickle_force: true}")
    shop.write("profiles.yml", profile(when_busy="wait"))
    waited = failed(shop, "run", "-s", "orders")

    assert (beside.action("orders"), beside.status("plain")) == ("SKIP", "error")
    sentence = f"is in use by process {held.process.pid} and was not free within 0.5 seconds"
    assert all(sentence in said for said in (beside.message("plain"), forced.message("orders"), waited))


def test_what_is_no_run_of_dbt_is_waited_for(shop: Project) -> None:
    """A session of `dbt-trickle sql` refreshes nothing, so leaving tables to it would be no success."""
    session = Held(shop.warehouse, "dbt-trickle sql")
    try:
        assert f"is in use by process {session.process.pid}" in failed(shop, "run")
    finally:
        session.let_go()


def test_rows_older_than_their_target_are_no_success(shop: Project, held: Held) -> None:
    """If the rows exceed the target lag, the table fails, warns or is silent, as the model configures."""
    now = other(shop).since
    built(shop, "orders", now - 3 * 3_600_000 + 30_000)
    outcomes: dict[str, Outcome] = {}
    for config in ("schedule='1h'", "schedule='1d'", "schedule={'every': '1h'}", "schedule='1h', on_stale='ignore'"):
        shop.model("orders", f"{{{{ config({config}) }}}} select 1 as id")
        outcomes[config] = shop.dbt("run", "-s", "orders")

    assert [one.success for one in outcomes.values()] == [False, True, True, True]
    late = outcomes["schedule='1h'"].message("orders")
    assert "SKIP (refresh_under_way): " in late and "Its rows are 2h59m" in late and "target lag 1h" in late


def other(shop: Project) -> Holder:
    holder = other_holder(shop.warehouse / "lock")
    assert holder is not None
    return holder


def test_the_holder_of_a_lock(shop: Project, held: Held) -> None:
    """Process, purpose and start; None once it has ended, and never this process itself."""
    holder = other(shop)
    held.let_go()

    assert (holder.pid, holder.purpose) == (held.process.pid, "dbt")
    assert other_holder(shop.warehouse / "lock") is None
    assert other_holder(shop.warehouse / "nowhere" / "lock") is None
