"""A run in which nothing is to be done ends without Java: what it must know, the run before has kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.warehouses.embedded import spark as embedded
from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

BROKEN_JAVA = "#!/bin/sh\necho started >> {notes}\nexit 1\n"


@dataclass(frozen=True)
class Ran:
    """What a dbt command in a process of its own has done."""

    code: int
    output: str
    results: dict[str, Any]

    def action(self, node: str) -> str:
        return str(self.results[node]["adapter_response"].get("action"))


class Runs:
    """Runs of a project in processes of their own, with Java or with one that fails when it is started."""

    def __init__(self, project: Project, folder: Path) -> None:
        self.project = project
        self.notes = folder / "java-was-started"
        java = folder / "no-java" / "bin" / "java"
        java.parent.mkdir(parents=True)
        java.write_text(BROKEN_JAVA.format(notes=self.notes))
        java.chmod(0o755)
        self.home = java.parent.parent

    def dbt(self, *arguments: str, java: bool = True) -> Ran:
        environment = dict(os.environ)
        if not java:
            environment |= {"JAVA_HOME": str(self.home), "PATH": f"{self.home / 'bin'}:{environment['PATH']}"}
        words = [str(Path(sys.executable).parent / "dbt"), *arguments]
        place = ["--project-dir", str(self.project.root), "--profiles-dir", str(self.project.root)]
        ran = subprocess.run([*words, *place], capture_output=True, text=True, env=environment, check=False)
        file = self.project.root / "target" / "run_results.json"
        results = json.loads(file.read_text()) if file.exists() else {"results": []}
        by_name = {one["unique_id"].split(".")[-1]: one for one in results["results"]}
        return Ran(ran.returncode, ran.stdout + ran.stderr, by_name)

    @property
    def java_was_started(self) -> bool:
        return self.notes.exists()

    def end_without_java(self) -> None:
        """A run of both models that finds nothing to do."""
        ran = self.dbt("run", java=False)
        assert ran.code == 0, ran.output
        assert (ran.action("orders"), ran.action("totals")) == ("NO_DATA", "NO_DATA")
        assert not self.java_was_started


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """Two stream tables over a Delta table in a warehouse of their own, built by one normal run."""
    folder = tmp_path_factory.mktemp("idle")
    project = Project(folder / "project", "shop", folder / "warehouse")
    project.set_up()
    embedded.close()
    project.sql(
        "create schema {s}",
        "create table {s}.raw_orders (id int, customer string, amount int) using delta",
        "insert into {s}.raw_orders values (1, 'ann', 10), (2, 'bob', 20), (3, 'ann', 5)",
    )
    source = "{{ source('raw', 'raw_orders') }}"
    tables = "sources: [{name: raw, schema: shop, tables: [{name: raw_orders}]}]\n"
    project.write("models/schema.yml", tables)
    project.model("orders", f"select id, upper(customer) as customer, amount from {source}")
    project.model("totals", "select customer, sum(amount) as total from {{ ref('orders') }} group by customer")
    embedded.close()
    runs = Runs(project, folder)
    first = runs.dbt("run")
    assert first.code == 0, first.output
    assert (first.action("orders"), first.action("totals")) == ("FULL", "FULL")
    return runs


def test_a_run_without_changes_starts_no_java(runs: Runs) -> None:
    """Neither for dbt's listing of schemas and relations nor for the stream tables."""
    runs.end_without_java()


def test_a_run_in_which_nothing_is_due_starts_no_java(runs: Runs) -> None:
    """A schedule whose slot is taken is judged from logs."""
    runs.project.write("models/schedule.yml", "models: [{name: orders, config: {schedule: 14w}}]\n")
    scheduled = runs.dbt("run")
    assert scheduled.code == 0, scheduled.output

    ran = runs.dbt("run", "-s", "orders", java=False)

    assert ran.code == 0, ran.output
    assert ran.action("orders") == "SKIP"
    assert not runs.java_was_started
    (runs.project.root / "models" / "schedule.yml").unlink()
    assert runs.dbt("run").code == 0


def test_a_changed_source_starts_spark_when_it_is_needed(runs: Runs) -> None:
    """The model that is due is refreshed, and the run after it is idle again."""
    runs.project.sql("insert into {s}.raw_orders values (4, 'cid', 7)")
    embedded.close()

    ran = runs.dbt("run")

    assert ran.code == 0, ran.output
    assert (ran.action("orders"), ran.action("totals")) == ("APPEND", "INCREMENTAL")
    runs.end_without_java()


def test_who_has_opened_the_catalog_since_is_asked_about(runs: Runs) -> None:
    """A view that somebody has replaced is put back: kept answers hold for an untouched catalog only."""
    runs.project.sql("drop view {s}.totals", "create view {s}.totals as select 1 as customer, 2 as total")
    embedded.close()

    blind = runs.dbt("run", java=False)
    assert blind.code != 0
    assert runs.java_was_started
    runs.notes.unlink()
    ran = runs.dbt("run")

    assert ran.code == 0, ran.output
    assert runs.project.sql("select count(*) from {s}.totals where customer = 'ANN'")[0][0] == 1
    embedded.close()


def test_a_new_schema_is_created(runs: Runs) -> None:
    """What the kept answers do not name is asked of Spark, and created by it."""
    assert runs.dbt("run").code == 0

    ran = runs.dbt("run", "--target", "ci")

    assert ran.code == 0, ran.output
    assert (ran.action("orders"), ran.action("totals")) == ("FULL", "FULL")
