"""Nothing is dropped, replaced or read as a stream table that dbt-trickle did not put there."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.storages.table_properties import STORAGE_OF
from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

ALIEN = [(7, "mine")]
MINE = "as select 7 as id, 'mine' as whose"


def test_tables_of_others_with_our_name_stay(shop: Project, tmp_path: Path) -> None:
    """Whatever the model is and whatever the other thing is: it is kept, and only what would need its name fails."""
    shop.sql(
        f"create table {{s}}.PLAIN__Trickle using delta {MINE}",
        f"create table {{s}}.plain_table__trickle using delta {MINE}",
        f"create table {{s}}.orders__trickle using delta {MINE}",
        f"create table {{s}}.totals__trickle using parquet {MINE}",
        f"create view {{s}}.viewed__trickle {MINE}",
        f"create table {{s}}.elsewhere__trickle using delta location '{tmp_path}/mine' {MINE}",
        f"create table delta.`{tmp_path}/root/placed__trickle` using delta {MINE}",
    )
    (tmp_path / "files" / "filed__trickle").mkdir(parents=True)
    (tmp_path / "files" / "filed__trickle" / "notes.txt").write_text("mine")
    for name, config in {
        "plain": "materialized='view'",
        "plain_table": "materialized='table'",
        "viewed": "tags='t'",
        "elsewhere": "tags='t'",
        "placed": f"location_root='{tmp_path}/root'",
        "filed": f"location_root='{tmp_path}/files'",
    }.items():
        shop.model(name, f"{{{{ config({config}) }}}} select id from {{{{ source('raw', 'raw_orders') }}}}")
    shop.model("reader", "{{ config(materialized='view') }} select * from {{ ref('plain') }}")
    ran = shop.dbt("run")
    again = shop.dbt("run", "--full-refresh", "-s", "plain", "plain_table", "orders")

    refused = ("orders", "viewed", "elsewhere", "placed", "filed")
    assert {name: ran.status(name) for name in ran.results} == {
        **dict.fromkeys(refused, "error"),
        **dict.fromkeys(("plain", "plain_table", "reader"), "success"),
        "totals": "skipped",
    }
    assert again.status("orders") == "error"
    for name in refused:
        assert f"{shop.schema}.{name}__trickle" in ran.message(name), ran.message(name)
        assert "did not create" in ran.message(name)
    for kept in ("plain__trickle", "plain_table__trickle", "orders__trickle", "totals__trickle", "viewed__trickle"):
        assert shop.rows(kept) == ALIEN
    assert shop.rows("elsewhere__trickle") == ALIEN
    assert shop.sql(f"select * from delta.`{tmp_path}/root/placed__trickle`") == ALIEN
    assert (tmp_path / "files" / "filed__trickle" / "notes.txt").read_text() == "mine"
    assert shop.rows("reader") == [(1,), (2,), (3,)]


def test_two_nodes_of_a_project_with_one_name(shop: Project) -> None:
    """Whichever of them runs, neither loses a row, and the sentence has both names."""
    shop.dbt("run")
    shop.model("orders__trickle", "{{ config(materialized='table') }} select 1 as id")
    shop.write("seeds/totals__trickle.csv", "id\n1\n")
    before = shop.rows("orders"), shop.rows("totals")
    built = shop.dbt("build")

    for name in ("orders", "orders__trickle", "totals__trickle"):
        other = name.removesuffix("__trickle")
        assert built.status(name) == "error", name
        assert f"model {other} " in built.message(name)
        assert f"{other}__trickle (" in built.message(name)
    assert (shop.rows("orders"), shop.rows("totals")) == before


def test_storages_of_0_1_0_are_ours(shop: Project) -> None:
    """They bear stamps and no name of their own: they are gone on with, and get the name without a rebuild."""
    shop.dbt("run")
    shop.sql(
        "alter table {s}.orders__trickle unset tblproperties ('trickle.storage_of')",
        "alter view {s}.orders unset tblproperties ('trickle.text')",
        "insert into {s}.raw_orders values (4, 'cid', 7)",
    )
    upgraded, quiet = shop.dbt("run"), shop.dbt("run")
    log = shop.storage_log("orders")

    assert (upgraded.action("orders"), upgraded.response("orders")["notes"]) == ("APPEND", [])
    assert metadata_at(log, log.latest).properties[STORAGE_OF] == f"{shop.schema}.orders__trickle"
    assert quiet.response("orders")["statements"] == []
    assert shop.dbt("test").success


def test_what_users_read_is_looked_at(shop: Project) -> None:
    """Another view, an altered text, a table, or nothing under a stream table's name: tests fail, readers read what
    is there, and the next run puts the view back and says so."""
    shop.model("readers", "select customer, total from {{ ref('totals') }}")
    shop.write(
        "models/more.yml",
        "models: [{name: readers, data_tests: [stream_table_state]}]\n",
    )
    shop.write("tests/totals_fresh.sql", "{{ test_stream_table_fresh(ref('totals'), max_lag='30d') }}")
    shop.dbt("run")
    before = shop.rows("totals")
    for other, words in (
        ("create or replace view {s}.totals as select 'x' as customer, 1L as total, 1L as n", "another view"),
        ("alter view {s}.totals as select customer, total + 1 as total, n from {s}.totals__trickle", "altered"),
        ("create table {s}.totals using delta as select 'x' as customer, 1L as total, 1L as n", "a table"),
    ):
        if "create table" in other:
            shop.sql("drop view {s}.totals")
        shop.sql(other)
        seen = shop.sql("select customer, total from {s}.totals order by 1")
        if "alter view" in other:
            # Looked at by all tests and by readers alike: once is enough.
            tested = shop.dbt("test", "-s", "totals")
            assert {tested.status(name) for name in tested.results} == {"fail"}
            assert "totals_fresh" in tested.results
            assert shop.dbt("run", "-s", "readers").success
            assert shop.rows("readers") == seen
        mended = shop.dbt("build")

        assert mended.success
        assert mended.action("totals") == "NO_DATA"
        assert words in " ".join(mended.response("totals")["notes"])
        assert shop.rows("totals") == before
    quiet = shop.dbt("run")
    assert (quiet.response("totals")["statements"], quiet.response("totals")["notes"]) == ([], [])
