"""Users see how their stream tables stand: by tests, run-operations, source freshness, the catalog, and SQL by hand."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from dbt.adapters.trickle.cli import main
from dbt.adapters.trickle.warehouses.embedded import spark as warehouse
from dbt.adapters.trickle.warehouses.embedded.lock import try_lock
from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

SCHEMA = """
sources:
  - name: raw
    schema: "{{ target.schema }}"
    freshness: {error_after: {count: 1, period: day}}
    tables: [{name: raw_orders}, {name: raw_files}]
models:
  - name: orders
    data_tests: [stream_table_exact, stream_table_state, stream_table_fresh: {arguments: {max_lag: 1d}}]
  - name: totals
    data_tests: [stream_table_exact, stream_table_state, stream_table_fresh: {arguments: {max_lag: 1d}}]
  - name: best
    data_tests: [stream_table_exact, stream_table_state]
"""


@pytest.fixture
def seen(shop: Project) -> Project:
    """The shop with every kind of layout, built."""
    shop.write("models/schema.yml", SCHEMA)
    shop.model("best", "select * from {{ ref('totals') }} order by total desc limit 1")
    assert shop.dbt("run").success
    return shop


def test_generic_tests_pass_and_find_what_is_planted(seen: Project) -> None:
    """A wrong row, a wrong state and a wrong count, each in a table of another layout, and rows that are too old."""
    assert seen.dbt("test").success

    seen.sql(
        "update {s}.orders__trickle set __trickle_count = 2 where id = 1",
        "update {s}.totals__trickle set __trickle_sum_sum = 7 where customer = 'ANN'",
        "update {s}.best__trickle set total = 999",
    )
    failed = {name for name, one in seen.dbt("test").results.items() if str(one.status) == "fail"}

    assert {name.rpartition("_")[0] if name.endswith("_1d") else name for name in failed} == {
        "stream_table_exact_orders_", "stream_table_state_orders_",
        "stream_table_state_totals_",
        "stream_table_exact_best_", "stream_table_state_best_",
    }  # fmt: skip


def test_rows_that_are_too_old_fail(seen: Project) -> None:
    """A change nobody has read for longer than max_lag; a test without any target says what it needs."""
    seen.sql("insert into {s}.raw_orders values (4, 'cid', 1)")
    time.sleep(2)  # until the change is older than the second it may be
    seen.write("models/schema.yml", SCHEMA.replace("max_lag: 1d", "max_lag: 1s"))
    late = seen.dbt("test", "-s", "test_name:stream_table_fresh")
    seen.write(
        "models/schema.yml", SCHEMA.replace("stream_table_fresh: {arguments: {max_lag: 1d}}", "stream_table_fresh")
    )
    without = seen.dbt("test", "-s", "test_name:stream_table_fresh")

    assert {str(one.status) for one in late.results.values()} == {"fail"}
    assert all("has no schedule that limits how old" in str(one.message) for one in without.results.values())


def test_run_operations_tell_the_same_as_the_command_line(seen: Project, capsys: pytest.CaptureFixture[str]) -> None:
    """Status and history, as text and as JSON; an unknown model is named with the nearest there is."""
    assert seen.dbt("run-operation", "trickle_status").success
    assert "3 stream tables, 3 fresh" in capsys.readouterr().out
    seen.dbt("run-operation", "trickle_history", "--args", "{model: totals, format: json}")
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    place = ["--project-dir", str(seen.root), "--profiles-dir", str(seen.root)]
    main(["history", "totals", "--format", "json", *place])

    assert told == json.loads(capsys.readouterr().out)
    assert [one["action"] for one in told["refreshes"]] == ["FULL"]
    assert not seen.dbt("run-operation", "trickle_history", "--args", "{model: total}").success


def test_source_freshness_needs_no_column(seen: Project) -> None:
    """Rows changed now, whatever maintenance came after; what is not Delta asks for a loaded_at_field."""
    seen.sql(
        "create table {s}.raw_files (a int) using parquet",
        "alter table {s}.raw_orders set tblproperties ('note' = 'later')",
    )

    found = seen.dbt("source", "freshness").results

    assert str(found["raw_orders"].status) == "pass"
    assert found["raw_orders"].age < 600
    assert "loaded_at_field" in str(found["raw_files"].message)


def test_the_catalog_tells_mode_and_last_refresh(seen: Project) -> None:
    """dbt docs shows them beside the columns, and nothing of the kind for other tables."""
    seen.dbt("docs", "generate")

    catalog = json.loads((seen.root / "target" / "catalog.json").read_text("utf-8"))
    totals = catalog["nodes"]["model.shop.totals"]
    stats = {key: one["value"] for key, one in totals["stats"].items() if one["include"]}

    assert (stats["maintained"], stats["refresh_mode"]) == ("incremental", "auto")
    assert "FULL first_build" in stats["last_refresh"]
    assert set(totals["columns"]) == {"customer", "total", "n"}
    assert "last_refresh" not in catalog["sources"]["source.shop.raw.raw_orders"]["stats"]


def test_sql_by_hand(shop: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Statements of a file in the profile's schema until one fails; a warehouse in use is one sentence."""
    place = ["--project-dir", str(shop.root), "--profiles-dir", str(shop.root)]
    warehouse.close()
    file = tmp_path / "q.sql"
    file.write_text(
        "create table note (a int, b string) using delta; insert into note values (1, ';'), (2, null);\n"
        "select * from note order by a; select nothing from note; select 3"
    )
    ran = main(["sql", "-f", str(file), *place])
    said = capsys.readouterr()
    lock = try_lock(shop.warehouse / "lock")
    held = main(["sql", "select 1", *place])
    assert lock is not None
    lock.release()

    assert (ran, held) == (1, 2)
    assert said.out.endswith("a  b\n1  ;\n2  NULL\n(2 rows)\n")
    assert "dbt-trickle sql: statement 4 of 5: [UNRESOLVED_COLUMN" in said.err
    refused = capsys.readouterr().err
    assert "is in use by process" in refused and refused.count("\n") == 1
