"""dbt on the embedded warehouse as a user runs it: one process per command, whatever happened before."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dbt.adapters.trickle.warehouses.embedded.archive import archive_path
from dbt.adapters.trickle.warehouses.embedded.cache import cache_folder
from dbt.adapters.trickle.warehouses.embedded.delta_jars import jar_folder, present
from dbt.adapters.trickle.warehouses.embedded.java import find_java
from dbt.adapters.trickle.warehouses.embedded.lock import FileLock, try_lock

pytestmark = pytest.mark.spark

PROFILE = """
shop:
  target: dev
  outputs:
    dev: {type: trickle, schema: shop, driver_memory: 2g, lock_timeout: 30}
    impatient: {type: trickle, schema: shop, driver_memory: 2g, lock_timeout: 1}
"""
PROJECT = "name: shop\nversion: '1.0'\nprofile: shop\nflags:\n  send_anonymous_usage_stats: false\n"
FILES = {
    "profiles.yml": PROFILE,
    "dbt_project.yml": PROJECT,
    "seeds/customers.csv": 'id,name,balance\n1,O\'Brien,10.50\n2,"back\\slash 100%s",\n3,,7.25\n',
    "models/rich.sql": """
{{ config(
    materialized='table',
    pre_hook=[
        before_begin('create table if not exists {{ schema }}.said (word string)'),
        "insert into {{ schema }}.said values ('inside')"],
    post_hook=[after_commit("insert into {{ schema }}.said values ('outside')")]) }}
select id, name, balance * 2 as twice from {{ ref('customers') }}
""",
    "models/merged.sql": (
        "{{ config(materialized='incremental', unique_key='id', incremental_strategy='merge') }}\n"
        "select id, name from {{ ref('customers') }}"
    ),
    "models/total.sql": "select count(*) as n, sum(twice) as twice from {{ ref('rich') }}",
    "models/endless.sql": (
        "{{ config(materialized='table', enabled=var('endless', false)) }}\n"
        "select count(*) as n from range(1000000000000) where sha2(cast(id as string), 512) > 'z'"
    ),
    "snapshots/kept.yml": (
        "snapshots:\n  - name: kept\n    relation: ref('customers')\n"
        "    config: {strategy: check, unique_key: id, check_cols: all}\n"
    ),
}
CONTENTS = (
    "select (select array_sort(collect_list(struct(*))) from {schema}.customers) as customers, "
    "(select array_sort(collect_list(struct(*))) from {schema}.merged) as merged, "
    "(select struct(*) from {schema}.total) as total, (select count(*) from {schema}.kept) as kept, "
    "(select array_sort(collect_list(word)) from {schema}.said) as said"
)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from dbt.cli.main import cli; cli()", *arguments]


def dbt(project: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run dbt from another folder than the project's, so that nothing can depend on where it was started."""
    return subprocess.run(
        [*command(*arguments), "--project-dir", str(project), "--profiles-dir", str(project)],
        cwd=project.parent,
        env={**os.environ, "DBT_TRICKLE_ARCHIVE": "off", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def shown(project: Path, query: str) -> str:
    done = dbt(project, "--quiet", "show", "--output", "json", "--inline", query)
    assert done.returncode == 0, done.stdout
    return done.stdout


def endless(project: Path) -> subprocess.Popen[str]:
    """A run that is in the middle of a long job."""
    process = subprocess.Popen(
        command("--no-use-colors", "--log-format", "json", "run", "-s", "endless", "--vars", "endless: true"),
        cwd=project,
        env={**os.environ, "DBT_TRICKLE_ARCHIVE": "off"},
        stdout=subprocess.PIPE,
        text=True,
        # A test runner in the background ignores Ctrl-C and would hand that down.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    assert any("START sql table model shop.endless" in line for line in process.stdout)
    return process


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("started-from") / "project"
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    done = dbt(folder, "build")
    assert done.returncode == 0, done.stdout
    return folder


def test_nothing_is_written_outside_the_warehouse(project: Path) -> None:
    """No metastore, no derby.log and no spark-warehouse where dbt was started."""
    assert {path.name for path in project.iterdir()} == {
        "profiles.yml",
        "dbt_project.yml",
        "seeds",
        "models",
        "snapshots",
        "target",
        "logs",
        "warehouse",
    }
    assert {path.name for path in project.parent.iterdir()} <= {"project", "logs"}


def test_four_threads_make_the_same_tables(project: Path) -> None:
    """Sessions of their own: no model sees another's settings or temporary views."""
    alone = json.loads(shown(project, CONTENTS.format(schema="shop")))
    profile = project / "profiles.yml"
    profile.write_text(PROFILE.replace("schema: shop", "schema: shop4"), "utf-8")
    try:
        for _ in range(2):
            done = dbt(project, "build", "--threads", "4")
            assert done.returncode == 0, done.stdout
        together = json.loads(shown(project, CONTENTS.format(schema="shop4")))
    finally:
        profile.write_text(PROFILE, "utf-8")

    (one,), (four,) = alone["show"], together["show"]
    assert (four["customers"], four["merged"], four["total"]) == (
        one["customers"],
        one["merged"],
        one["total"],
    )
    assert one["said"] == '["inside", "outside"]'
    assert "O'Brien" in one["customers"]
    assert "back" in one["customers"]


def test_a_seed_that_is_loaded_again_stays_the_same_table(project: Path) -> None:
    """Its identity is what stream tables built on it hold on to."""
    log = project / "warehouse" / "data" / "shop.db" / "customers" / "_delta_log"

    done = dbt(project, "seed")

    assert done.returncode == 0, done.stdout
    metadata = [line for file in sorted(log.glob("*.json")) for line in file.read_text("utf-8").splitlines()]
    assert len({json.loads(line)["metaData"]["id"] for line in metadata if '"metaData"' in line}) == 1


def eventually_locked(path: Path) -> FileLock:
    """A run's Java process may outlive it by a moment, and the lock with it."""
    for _ in range(300):
        lock = try_lock(path)
        if lock is not None:
            return lock
        time.sleep(0.1)
    raise AssertionError("the warehouse was not let go")


def test_a_held_warehouse_is_one_sentence(project: Path) -> None:
    """The second run waits, says for whom, and then fails without a trace of Java or Python."""
    lock = eventually_locked(project / "warehouse" / "lock")
    try:
        done = dbt(project, "run", "--target", "impatient")
    finally:
        lock.release()

    # The whole run fails where it must ask Spark which tables there are, each model where the last run left the answer.
    assert done.returncode in (1, 2)
    assert f"in use by process {os.getpid()} and was not free within 1 seconds" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_sql_errors_show_sparks_message_only(project: Path) -> None:
    """Error class and message on the console; the trace is in dbt's log."""
    done = dbt(project, "show", "--inline", "select nothing_like_it from {{ ref('customers') }}")

    assert done.returncode != 0
    assert "[UNRESOLVED_COLUMN" in done.stdout
    for noise in ("py4j", "org.apache", "Traceback", "JVM stacktrace"):
        assert noise not in done.stdout + done.stderr
    assert "org.apache.spark" in (project / "logs" / "dbt.log").read_text("utf-8")


def test_an_interrupted_run_ends_and_leaves_the_warehouse_free(project: Path) -> None:
    """Ctrl-C cancels the job; the next run works."""
    process = endless(project)

    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=120)

    assert process.returncode != 0
    assert "Traceback" not in told
    assert dbt(project, "run").returncode == 0


def test_a_killed_run_leaves_the_warehouse_usable(project: Path) -> None:
    """No stale lock, no half-written catalog."""
    process = endless(project)

    process.kill()
    process.communicate(timeout=120)

    done = dbt(project, "run")
    assert done.returncode == 0, done.stdout


def test_a_broken_archive_is_ignored(project: Path, tmp_path: Path) -> None:
    """The class-data archive is an optimisation; a bad one must not stop a run."""
    jar_folder(tmp_path).parent.mkdir(parents=True, exist_ok=True)
    jar_folder(tmp_path).symlink_to(jar_folder(cache_folder(os.environ)))
    broken = archive_path(tmp_path, find_java(os.environ), present(tmp_path))
    broken.parent.mkdir()
    broken.write_bytes(b"not an archive")

    done = dbt(project, "run", "-s", "total", DBT_TRICKLE_ARCHIVE="on", DBT_TRICKLE_CACHE=str(tmp_path))

    assert done.returncode == 0, done.stdout
