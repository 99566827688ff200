"""Sources that are altered, replaced, kept in odd places or damaged: what is read of them is what Spark shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog
from tests.spark.conftest import SCHEMAS
from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

FED = "tblproperties ('delta.enableChangeDataFeed' = 'true')"
UNFED = "tblproperties ('delta.enableChangeDataFeed' = 'false')"
MAPPED = "tblproperties ('delta.enableChangeDataFeed' = 'true', 'delta.columnMapping.mode' = 'name')"
WIDENING = "tblproperties ('delta.enableChangeDataFeed' = 'true', 'delta.enableTypeWidening' = 'true')"


@pytest.fixture
def project(shared_warehouse: Path, tmp_path: Path) -> Project:
    project = Project(tmp_path, f"sources{next(SCHEMAS)}", shared_warehouse)
    project.set_up()
    project.sql("create schema {s}")
    return project


def models(project: Project, texts: Mapping[str, str]) -> None:
    """A stream table for each, and the test that it equals its SELECT."""
    for name, text in texts.items():
        project.model(name, "{{ config(refresh_mode='incremental') }} " + text.replace("{s}", project.schema))
    tested = [{"name": name, "data_tests": ["stream_table_exact"]} for name in texts]
    project.write("models/schema.yml", json.dumps({"models": tested}))


ALTERED = {
    "parted": "select k, b, d.name from {s}.t_parted join {s}.d on d.id = k",
    "wider": "select k, a from {s}.t_wider where a > 0",
    "summed": "select k % 2 as half, sum(a) as total from {s}.t_wider group by k % 2",
    "reordered": "select b, a, k from {s}.t_reordered",
    "widened": "select k, a from {s}.t_widened",
    "renamed": "select k, a from {s}.t_renamed",
    "replaced": "select k, d.name from {s}.t_replaced join {s}.d on d.id = k",
    "ours": "select k, __trickle_weight, w.__trickle_count as n, d.name from {s}.t_ours w join {s}.d on d.id = k",
}


BEFORE = (
    "create table {s}.d using delta as select id, concat('n', id) as name from range(10)",
    *(
        f"create table {{s}}.t_{name} using delta {kept} as "
        "select * from values (1, 1, 'x'), (2, 2, 'y'), (3, 3, 'z') as v(k, a, b)"
        for name, kept in {
            "parted": FED, "wider": FED, "reordered": FED, "widened": WIDENING, "replaced": FED
        }.items()
    ),
    f"create table {{s}}.t_renamed (k int, a int, b string) using delta {MAPPED}",
    "insert into {s}.t_renamed values (1, 1, 'x'), (2, 2, 'y')",
    f"create table {{s}}.t_ours (k int, __trickle_weight int, __TRICKLE_count int) using delta {FED}",
    "insert into {s}.t_ours values (1, 5, 7), (2, 5, 7)",
)  # fmt: skip
ROWS = "select * from values (1, 1, 'x'), (9, 9, 'q') as v(k, a, b)"
AFTER = (
    f"create or replace table {{s}}.t_parted using delta partitioned by (k) {FED} as {ROWS}",
    f"create or replace table {{s}}.t_replaced using delta {FED} as select *, 1 as more from ({ROWS})",
    "alter table {s}.t_wider add columns (c string, s struct<x:int>)",
    "insert into {s}.t_wider values (4, 4, 'u', 'c', null)",
    "update {s}.t_wider set a = a + 10 where k in (1, 4)",
    "alter table {s}.t_wider add columns (s.y int)",
    "delete from {s}.t_wider where k = 2",
    "alter table {s}.t_reordered alter column b first",
    "alter table {s}.t_reordered alter column a comment 'amount'",
    "insert into {s}.t_reordered values ('n', 4, 4)",
    "update {s}.t_reordered set a = 30 where k = 3",
    "alter table {s}.t_widened alter column a type bigint",
    "insert into {s}.t_widened values (4, 4000000000, 'w')",
    "alter table {s}.t_renamed rename column b to bb",
    "update {s}.t_renamed set a = 7 where k = 1",
    "update {s}.t_ours set __trickle_weight = 6, __trickle_count = 8 where k = 1",
    "delete from {s}.t_ours where k = 2",
)
READ_ON = {"wider", "summed", "reordered", "replaced", "ours"}


def test_sources_whose_definition_changes(project: Project) -> None:
    """Rows are right whatever was altered; what no model reads costs nothing, and the sentence names what was done."""
    project.sql(*BEFORE)
    models(project, ALTERED)
    assert project.dbt("run").success
    project.sql(*AFTER)

    changed = project.dbt("build")

    assert changed.success
    codes = {name: changed.response(name)["reason_code"] for name in ALTERED}
    assert {name for name, code in codes.items() if code == "forced_incremental"} == READ_ON
    assert (codes["parted"], codes["renamed"]) == ("source_replaced", "source_altered")
    assert "partitioned it otherwise" in changed.response("parted")["reason"]
    assert codes["widened"] in ("definition_changed", "source_altered")
    assert project.rows("wider") == [(1, 11), (3, 3), (4, 14)]
    assert project.rows("parted") == [(1, "x", "n1"), (9, "q", "n9")]
    assert project.rows("ours") == [(1, 6, 8, "n1")]


PLACED = {
    "structs": "select k, s from {s}.t_structs",
    "mixed": "select * from delta.`{ext}/Mix/t`",
    "odd": "select k, a from {s}.t_odd where a is not null",
    "parts": "select k, p from {s}.t_parts",
    "quick": "select k, sum(a) as total from {s}.t_odd group by k",
    "plain_files": "select k from parquet.`{ext}/pct%20x #1`",
}


def test_sources_in_odd_places_and_shapes(project: Project, tmp_path: Path) -> None:
    """Paths keep case and every character; what is appended without a feed is read as Delta reads it."""
    ext = tmp_path / "Ext"
    odd = f"{ext}/pct%20x [1] {{a,b}} *?ü#+/t"
    project.sql(
        f"create table {{s}}.t_structs (k int, s struct<x:int, y:int>) using delta {UNFED}",
        "insert into {s}.t_structs select 1, named_struct('x', 1, 'y', 2)",
        f"create table {{s}}.t_mixed (k int) using delta location '{ext}/Mix/t' {FED}",
        f"create table {{s}}.t_lower (k int) using delta location '{ext}/mix/t' {FED}",
        "insert into {s}.t_mixed values (1)",
        "insert into {s}.t_lower values (100)",
        f"create table {{s}}.t_odd (k int, a int) using delta location '{odd}' {UNFED}",
        "insert into {s}.t_odd values (1, 1)",
        f"create table {{s}}.t_parts (k int, p string) using delta partitioned by (p) {UNFED}",
        "insert into {s}.t_parts values (0, 'plain')",
        f"create table {{s}}.t_files using parquet location '{ext}/pct%20x #1' as select 7 as k",
    )
    models(project, {name: text.replace("{ext}", str(ext)) for name, text in PLACED.items()})
    project.model("plain_files", PLACED["plain_files"].replace("{ext}", str(ext)))
    assert project.dbt("run").success
    for told in ("named_struct('y', 8, 'x', 7)", "named_struct('y', 9)"):
        project.append("t_structs", f"select 2 as k, {told} as s")
    project.sql(
        "insert into {s}.t_mixed values (2)",
        "update {s}.t_mixed set k = 3 where k = 1",
        "insert into {s}.t_odd values (2, 2)",
        "insert into {s}.t_parts values (1, 'a b'), (2, '%41'), (3, '[1]'), (4, '{x}*?'), (5, 'ü#+'), (6, null)",
    )

    changed = project.dbt("build")

    assert changed.success
    maintained = {name: changed.action(name) for name in PLACED if name != "plain_files"}
    assert set(maintained.values()) <= {"APPEND", "INCREMENTAL"}
    fields = project.sql("select k, s.x, s.y from {s}.structs order by k, y")
    assert [tuple(row) for row in fields] == [(1, 1, 2), (2, 7, 8), (2, None, 9)]
    assert project.rows("mixed") == [(2,), (3,)]
    assert project.rows("odd") == [(1, 1), (2, 2)]
    assert len(project.rows("parts")) == 7
    assert project.rows("plain_files") == [(7,)]


DAMAGED = ("vacuumed", "truncated", "unpointed", "mislaid", "garbled")


def test_damaged_sources(project: Project) -> None:
    """Lost feed files cost a FULL; what nobody can read is named in one sentence, until it is back."""
    kept = "tblproperties ('delta.enableChangeDataFeed' = 'true', 'delta.checkpointInterval' = '2')"
    for name in DAMAGED:
        project.sql(
            f"create table {{s}}.t_{name} using delta {kept} as select cast(id as int) as k, 1 as a from range(9)",
            f"insert into {{s}}.t_{name} values (10, 1)",
            f"insert into {{s}}.t_{name} values (11, 1)",
        )
    models(project, {name: f"select k, a from {{s}}.t_{name}" for name in DAMAGED})
    assert project.dbt("run").success
    project.sql(
        "insert into {s}.t_vacuumed values (20, 20)",
        "update {s}.t_vacuumed set a = 0 where k = 20",
        "delete from {s}.t_vacuumed where k < 5",
        "set spark.databricks.delta.retentionDurationCheck.enabled = false",
        "vacuum {s}.t_vacuumed retain 0 hours",
    )
    logs = {name: _log(project, f"t_{name}") for name in DAMAGED}
    last = Path(logs["truncated"].commit_file(logs["truncated"].latest))
    whole = last.read_bytes()
    last.write_bytes(whole[:150])
    checkpoint = Path(logs["unpointed"].newest_checkpoint()[1][0])
    right = checkpoint.read_bytes()
    checkpoint.write_bytes(b"garbage")
    mislaid = Path(logs["mislaid"].data_file(logs["mislaid"].commit(logs["mislaid"].latest).adds[0].path))
    mislaid.rename(mislaid.with_suffix(".aside"))
    for version, garbage in zip(range(3), (b"\xff\xfe\x00", b"[1]", b'{"metadata": 1}')):
        Path(logs["garbled"].checksum_file(logs["garbled"].latest - version)).write_bytes(garbage)

    broken = project.dbt("run")

    assert broken.response("vacuumed")["reason_code"] == "source_unreadable"
    assert project.rows("vacuumed") == sorted(project.sql("select * from {s}.t_vacuumed"))
    for name, file in (("truncated", last), ("unpointed", checkpoint), ("mislaid", mislaid)):
        assert broken.status(name) == "error"
        assert str(file) in broken.message(name)
        assert "full-refresh" not in broken.message(name)
        assert len(broken.message(name).strip().splitlines()) <= 4
    assert broken.action("garbled") == "NO_DATA"

    last.write_bytes(whole)
    checkpoint.write_bytes(right)
    mislaid.with_suffix(".aside").rename(mislaid)
    mended = project.dbt("run")

    assert mended.success
    assert {mended.action(name) for name in DAMAGED} == {"NO_DATA"}


def _log(project: Project, table: str) -> DeltaLog:
    (location,) = [row[1] for row in project.sql(f"describe table extended {{s}}.{table}") if row[0] == "Location"]
    return DeltaLog(Path(str(location).removeprefix("file:")))


def test_a_model_that_asks_spark_for_a_feed_and_its_table(project: Project) -> None:
    """Spark would answer with rows of the wrong read: the model is refused, in a sentence that names the table."""
    project.sql(f"create table {{s}}.t (k int) using delta {FED}", "insert into {s}.t values (1)")
    project.model(
        "both", f"select t.k from {project.schema}.t join table_changes('{project.schema}.t', 1) c on c.k = t.k"
    )
    project.model("alone", f"select k from table_changes('{project.schema}.t', 1)")

    ran = project.dbt("run")

    assert (ran.status("both"), ran.action("alone")) == ("error", "FULL")
    assert f"the change feed of {project.schema}.t stands beside another read of it" in ran.message("both")
