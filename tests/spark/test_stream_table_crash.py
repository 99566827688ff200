"""Killed in the middle, run again: nothing is lost and nothing counts twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

PATIENCE = 300.0
ROOT = Path(__file__).parents[2]


def start(shop: Project, *arguments: str) -> subprocess.Popen[bytes]:
    """dbt in a process of its own, as cron would start it."""
    place = ["--project-dir", str(shop.root), "--profiles-dir", str(shop.root)]
    command = [sys.executable, "-c", "from dbt.cli.main import cli; cli()", "--quiet", *arguments, *place]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "engine")])
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": paths})


def kill_while_writing(shop: Project, model: str, words: str, delay: float) -> None:
    """Kill a run once the given words stand in the script of the model, that is while that statement runs."""
    script = shop.root / f"target/run/shop/models/{model}.sql"
    script.unlink(missing_ok=True)
    running = start(shop, "run")
    deadline = time.monotonic() + PATIENCE
    while not (script.exists() and words in script.read_text(encoding="utf-8")):
        assert running.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < deadline, "the statement never started"
        time.sleep(0.05)
    time.sleep(delay)
    running.send_signal(signal.SIGKILL)
    running.wait()


@pytest.mark.parametrize("delay", [0.0, 1.0])
def test_killed_and_run_again(tmp_path: Path, delay: float) -> None:
    """Killed during the first build and during a refresh; each time the next run is exact."""
    shop = Project(tmp_path, "shop", tmp_path / "warehouse")
    shop.set_up()
    shop.write("seeds/raw_orders.csv", "id,customer,amount\n1,ann,10\n2,bob,20\n3,ann,5\n")
    shop.write("models/schema.yml", "models: [{name: totals, data_tests: [stream_table_exact]}]\n")
    shop.model("orders", "{{ config(materialized='incremental') }} select * from {{ ref('raw_orders') }}")
    shop.model("totals", "select customer, sum(amount) as total from {{ ref('orders') }} group by customer")

    assert start(shop, "seed").wait() == 0
    kill_while_writing(shop, "totals", "CREATE OR REPLACE TABLE", delay)
    assert start(shop, "build", "--exclude", "raw_orders").wait() == 0
    kill_while_writing(shop, "totals", "orders", delay)
    assert start(shop, "build", "--exclude", "raw_orders").wait() == 0
