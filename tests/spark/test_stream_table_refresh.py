"""A stream table through its life: built, kept up, disturbed, redefined."""

from __future__ import annotations

import pytest

from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark


def test_built_kept_up_and_left_alone(shop: Project) -> None:
    """Every run says what it did, its numbers are true, and the rows equal the SELECT."""
    built = shop.dbt("build")
    quiet = shop.dbt("run")
    versions = {name: shop.storage_log(name).latest for name in ("orders", "totals")}
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7), (5, 'ann', 100)")
    grown = shop.dbt("build")
    shop.sql("update {s}.raw_orders set amount = 1 where id = 2", "delete from {s}.raw_orders where id = 3")
    changed = shop.dbt("build")

    assert [built.success, grown.success, changed.success] == [True, True, True]
    assert [built.action("orders"), quiet.action("orders"), grown.action("orders")] == ["FULL", "NO_DATA", "APPEND"]
    assert quiet.response("totals")["statements"] == []
    assert quiet.response("totals")["storage_version"] == versions["totals"]
    grown_orders = grown.response("orders")
    assert (grown_orders["rows_inserted"], grown_orders["rows_deleted"]) == (2, 0)
    assert grown.message("orders") == "APPEND +2 append"
    assert [(step["before"], step["after"]) for step in grown_orders["sources"]] == [(1, 2)]
    assert shop.rows("orders") == [(1, "ANN", 10), (2, "BOB", 1), (4, "CID", 7), (5, "ANN", 100)]
    assert shop.rows("totals") == [("ANN", 110, 2), ("BOB", 1, 1), ("CID", 7, 1)]


def test_maintenance_of_a_source_is_no_news(shop: Project) -> None:
    """OPTIMIZE and properties change no rows: nothing is written for them."""
    shop.dbt("run")
    shop.sql(
        "insert into {s}.raw_orders values (9, 'dan', 1)",
    )
    shop.dbt("run")
    shop.sql("optimize {s}.raw_orders", "alter table {s}.raw_orders set tblproperties ('team' = 'mine')")

    quiet = shop.dbt("run")

    assert quiet.action("orders") == "NO_DATA"
    assert quiet.response("orders")["reason_code"] == "only_maintenance"


def test_foreign_rows_in_storage_are_found_and_repaired(shop: Project) -> None:
    """The exact test names them; the next run does not build upon them."""
    shop.dbt("run")
    shop.sql("insert into {s}.totals__trickle select * from {s}.totals__trickle limit 1")

    tested = shop.dbt("test", "-s", "totals")
    repaired = shop.dbt("run")

    assert not tested.success
    assert repaired.response("totals")["reason_code"] == "storage_changed"
    assert shop.dbt("test").success


def test_a_changed_select_is_applied_and_other_words_are_not(shop: Project) -> None:
    """The next run applies it, readers keep the old rows meanwhile, and a new comment rebuilds nothing."""
    shop.dbt("run")
    shop.model("totals", "select customer, max(amount) as biggest from {{ ref('orders') }} group by customer")
    changed = shop.dbt("run")
    script = shop.script("totals")
    shop.model(
        "totals",
        "select customer,\n max(amount) as biggest -- the biggest\nfrom {{ ref('orders') }} group by customer",
    )
    reworded = shop.dbt("run")

    assert (changed.action("totals"), changed.response("totals")["reason_code"]) == (
        "REINITIALIZE",
        "definition_changed",
    )
    assert shop.rows("totals") == [("ANN", 10), ("BOB", 20)]
    assert script.index("VERSION AS OF") < script.index("CREATE OR REPLACE TABLE")
    assert reworded.action("totals") == "NO_DATA"


def test_a_failing_refresh_leaves_the_table(shop: Project) -> None:
    """Rows, state and view stay; once the cause is gone the next run is exact."""
    shop.model("totals", "select customer, sum(100 / amount) as share from {{ ref('orders') }} group by customer")
    shop.dbt("run")
    before = shop.rows("totals")
    shop.sql("insert into {s}.raw_orders values (9, 'zed', 0)")
    failed = shop.dbt("run")
    kept = shop.rows("totals")
    shop.sql("delete from {s}.raw_orders where id = 9")

    assert (failed.status("totals"), kept) == ("error", before)
    assert "DIVIDE_BY_ZERO" in failed.message("totals")
    assert shop.dbt("build").success


def test_a_lost_view_is_put_back(shop: Project) -> None:
    """A run cut off between storage and view, or a hand that dropped the view, costs no rebuild."""
    shop.dbt("run")
    shop.sql("drop view {s}.totals")

    again = shop.dbt("run")

    assert again.action("totals") == "NO_DATA"
    assert shop.rows("totals") == [("ANN", 15, 2), ("BOB", 20, 1)]


def test_full_refresh_rebuilds(shop: Project) -> None:
    """--full-refresh rebuilds in one atomic replacement; the view, which stays valid, is not pinned."""
    shop.dbt("run")

    rebuilt = shop.dbt("run", "--full-refresh")

    assert (rebuilt.action("orders"), rebuilt.response("orders")["reason_code"]) == ("FULL", "full_refresh")
    assert "VERSION AS OF" not in shop.script("orders").split("CREATE OR REPLACE TABLE")[0]
    assert shop.dbt("test").success


def test_views_between_stream_tables_are_read_through(shop: Project) -> None:
    """A view model among the sources changes nothing: its SELECT is read in its place."""
    shop.model("big_orders", "{{ config(materialized='view') }} select * from {{ ref('orders') }} where amount > 5")
    shop.model("totals", "select customer, sum(amount) as total from {{ ref('big_orders') }} group by customer")
    shop.dbt("run")
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7), (5, 'cid', 2)")

    refreshed = shop.dbt("build")

    assert refreshed.success
    assert [step["source"] for step in refreshed.response("totals")["sources"]] == [f"{shop.schema}.orders"]
    assert shop.rows("totals") == [("ANN", 10), ("BOB", 20), ("CID", 7)]


def test_a_run_cut_off_before_the_catalog_knew(shop: Project) -> None:
    """The first commit is on disk, the catalog has no table: the next run builds it all the same."""
    shop.dbt("run", "-s", "orders")
    folder = shop.storage_log("orders").path
    aside = folder.with_name("aside")
    folder.rename(aside)
    shop.sql("drop table {s}.orders__trickle", "drop view {s}.orders")
    aside.rename(folder)
    for later in (folder / "_delta_log").glob("*1.*"):
        later.unlink()

    again = shop.dbt("build", "-s", "orders")

    assert again.success
    assert shop.rows("orders") == [(1, "ANN", 10), (2, "BOB", 20), (3, "ANN", 5)]


def test_a_run_cut_off_while_writing(shop: Project) -> None:
    """Files without a commit are nothing."""
    folder = shop.storage_log("orders").path
    folder.mkdir(parents=True)
    (folder / "part-00000-left-over.snappy.parquet").write_bytes(b"left over")

    built = shop.dbt("build", "-s", "orders")

    assert built.success
    assert shop.rows("orders") == [(1, "ANN", 10), (2, "BOB", 20), (3, "ANN", 5)]


def test_first_rows_that_run_out_are_read_again(shop: Project) -> None:
    """A stored order is kept from its spare rows; when they do not suffice, the run computes it anew and says so."""
    shop.sql("insert into {s}.raw_orders select cast(id as int), 'eve', cast(1000 + id as int) from range(10, 310)")
    insist = "{{ config(refresh_mode='incremental') }} "
    shop.model("first", insist + "select id, amount from {{ ref('orders') }} order by amount desc limit 2")
    shop.dbt("run")
    shop.sql("delete from {s}.raw_orders where id = 309")
    kept = shop.dbt("run")
    two = shop.rows("first")
    shop.sql("delete from {s}.raw_orders where id > 20 and id < 309")
    run_out = shop.dbt("run")

    assert (kept.response("first")["strategy"], two) == ("replace_top", [(307, 1307), (308, 1308)])
    assert (run_out.action("first"), run_out.response("first")["reason_code"]) == ("FULL", "rows_run_out")
    assert shop.rows("first") == [(19, 1019), (20, 1020)]
    assert shop.dbt("run").action("first") == "NO_DATA"
