"""dbt's other commands and flags, with stream tables."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

ROOT = Path(__file__).parents[2]
ORDERS = "select id, upper(customer) as customer, amount from {{ source('raw', 'raw_orders') }}"
PAID = "(4, 'bob', 7)"


def test_retry_takes_up_what_failed(shop: Project) -> None:
    """`dbt retry` runs the failed model and what was skipped for it, and nothing else."""
    shop.model("bystander", "select id from {{ source('raw', 'raw_orders') }}")
    shop.dbt("run")
    shop.model("orders", ORDERS.replace("upper(customer)", "if(id > 0, raise_error('no'), customer)"))
    failed = shop.dbt("run")
    shop.model("orders", ORDERS)
    shop.sql(f"insert into {{s}}.raw_orders values {PAID}")
    retried = shop.dbt("retry")

    assert (failed.success, failed.status("orders"), failed.status("totals")) == (False, "error", "skipped")
    assert (retried.success, sorted(retried.results)) == (True, ["orders", "totals"])
    assert shop.rows("totals") == [("ANN", 15, 2), ("BOB", 27, 2)]


def test_a_deferred_stream_table_is_read_where_it_stands(shop: Project) -> None:
    """`--defer` reads upstream tables of another schema; the model over them is maintained all the same."""
    shop.dbt("run")
    state = shop.keep_manifest("state")
    deferred = ("run", "-s", "totals", "--target", "ci", "--defer", "--state", state)
    built = shop.dbt(*deferred)
    shop.sql(f"insert into {{s}}.raw_orders values {PAID}")
    shop.dbt("run", "-s", "orders")
    maintained = shop.dbt(*deferred)
    quiet = shop.dbt(*deferred)

    assert [run.action("totals") for run in (built, quiet)] == ["FULL", "NO_DATA"]
    assert [one["source"] for one in maintained.response("totals")["sources"]] == [f"{shop.schema}.orders"]
    assert shop.sql(f"select * from {shop.schema}_ci.totals order by 1") == [("ANN", 15, 2), ("BOB", 27, 2)]


def test_a_sample_is_another_query(shop: Project) -> None:
    """`--sample` builds the table of the sampled sources, and the next run without it the whole one again."""
    shop.sql(
        "create table {s}.visits (id int, at timestamp) using delta",
        "insert into {s}.visits values (1, timestamp '2020-01-01 10:00:00'), (2, timestamp '2024-01-02 10:00:00')",
    )
    shop.write(
        "models/visits.yml",
        "sources: [{name: web, schema: '{{ target.schema }}', tables: [{name: visits, config: {event_time: at}}]}]\n",
    )
    shop.model("visits_kept", "select id, at from {{ source('web', 'visits') }}")
    shop.dbt("run", "-s", "visits_kept")
    sampled = shop.dbt("run", "-s", "visits_kept", "--sample", "{'start': '2024-01-01', 'end': '2024-02-01'}")
    of_sample = shop.sql("select id from {s}.visits_kept order by 1")
    whole = shop.dbt("run", "-s", "visits_kept")

    assert (sampled.action("visits_kept"), of_sample) == ("REINITIALIZE", [(2,)])
    assert whole.action("visits_kept") == "REINITIALIZE"
    assert shop.sql("select id from {s}.visits_kept order by 1") == [(1,), (2,)]


def test_failing_rows_are_kept(shop: Project) -> None:
    """`--store-failures` keeps the rows in which a stream table differs from its SELECT."""
    shop.dbt("run")
    shop.sql("update {s}.totals__trickle set total = 77 where customer = 'BOB'")
    tested = shop.dbt("test", "-s", "totals", "--store-failures")

    assert not tested.success
    kept = [one for one in shop.relations(f"{shop.schema}_dbt_test__audit") if "stream_table_exact" in one]
    assert len(kept) == 1
    assert "77" in str(shop.sql(f"select * from {shop.schema}_dbt_test__audit.{kept[0]}"))


def test_a_model_is_explained_where_it_stands(shop: Project) -> None:
    """`explain --model` compiles the project and reads the tables' logs; it needs no Spark, so none is in its way."""
    shop.dbt("run")
    place = ["--project-dir", str(shop.root), "--profiles-dir", str(shop.root)]
    command = [
        sys.executable,
        "-m",
        "dbt.adapters.trickle.cli",
        "explain",
        "--model",
        "totals",
        "--format",
        "json",
        *place,
    ]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "engine")])
    told = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True)

    assert told.returncode == 0, told.stderr
    explained = json.loads(told.stdout)
    assert (explained["id"], explained["verdict"], explained["apply"]) == ("totals", "incremental", "merge_by_key")
