"""Schedules in dbt runs: who is refreshed, who is left alone, and what overrides it."""

from __future__ import annotations

import json

import pytest

from dbt.adapters.trickle.cli import main
from tests.spark.clock import Clock, clock
from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

__all__ = ["clock"]

TOTALS = "select customer, sum(amount) as total, count(*) as n from {{ ref('orders') }} group by customer"
REFRESHED = ("APPEND", "INCREMENTAL", "FULL")
"""Which of them is a matter of prices."""

HOURLY = "{{ config(schedule='@hourly') }} "


def actions(shop: Project, *arguments: str) -> dict[str, str]:
    """What one `dbt run` did, by model."""
    ran = shop.dbt("run", *arguments)
    return {name: ran.action(name) for name in ran.results}


def test_a_table_waits_for_its_slot(shop: Project, clock: Clock) -> None:
    """Not due means nothing read and nothing written; the table it reads waits with it, and both come at the slot."""
    shop.model("totals", HOURLY + TOTALS)
    clock.set("2026-11-19 12:00:03")
    built = actions(shop)
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7)")
    versions = {name: shop.storage_log(name).latest for name in ("orders", "totals")}
    clock.set("2026-11-19 12:05:00")
    waiting = shop.dbt("run", "--threads", "2")
    kept = shop.rows("totals")
    clock.set("2026-11-19 12:59:58")
    early = actions(shop, "--threads", "4")
    clock.set("2026-11-19 13:00:02")
    again = actions(shop)

    assert built == {"orders": "FULL", "totals": "FULL"}
    assert [waiting.action(name) for name in ("orders", "totals")] == ["SKIP", "SKIP"]
    assert waiting.message("totals") == "SKIP (not_due) next 13:00"
    response = waiting.response("orders")
    assert (response["reason_code"], response["schedule"]) == ("not_due", "calculated: 0 * * * *")
    assert response["next_slot"] == "2026-11-19T13:00:00+00:00"
    assert (response["statements"], response["storage_version"]) == ([], versions["orders"])
    assert kept == [("ANN", 15, 2), ("BOB", 20, 1)]
    assert early == {"orders": "APPEND", "totals": early["totals"]} and early["totals"] in REFRESHED
    assert again == {"orders": "SKIP", "totals": "SKIP"}
    assert ("CID", 7, 1) in shop.rows("totals")


def test_what_overrides_a_schedule(shop: Project, clock: Clock) -> None:
    """The var, --full-refresh and an edited model do."""
    shop.model("totals", HOURLY + TOTALS)
    actions(shop)
    clock.set("2026-11-19 12:05:00")
    forced = actions(shop, "--vars", "{trickle_force: true}")
    full = actions(shop, "--full-refresh", "-s", "totals")
    shop.model("totals", HOURLY + TOTALS.replace("count(*)", "count(amount)"))
    edited = actions(shop)
    quiet = actions(shop)

    assert forced == {"orders": "NO_DATA", "totals": "NO_DATA"}
    assert full == {"totals": "FULL"}
    assert edited == {"orders": "NO_DATA", "totals": "REINITIALIZE"}
    assert quiet == {"orders": "SKIP", "totals": "SKIP"}


def test_a_check_that_found_nothing_has_taken_its_slot(shop: Project, clock: Clock) -> None:
    """What comes in by day is not in a nightly table before the night, though the night's run wrote nothing."""
    shop.model("totals", "{{ config(schedule={'cron': '0 3 * * *', 'time_zone': 'Europe/Berlin'}) }} " + TOTALS)
    actions(shop)
    clock.set("2026-11-20 02:00:30")
    night = actions(shop)
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7)")
    clock.set("2026-11-20 09:00:00")
    day = shop.dbt("run")
    clock.set("2026-11-21 02:00:10")
    following = actions(shop)

    assert night == {"orders": "NO_DATA", "totals": "NO_DATA"}
    assert [day.action(name) for name in ("orders", "totals")] == ["SKIP", "SKIP"]
    assert day.message("totals") == "SKIP (not_due) next 2026-11-21 03:00"
    assert following == {"orders": "APPEND", "totals": following["totals"]} and following["totals"] in REFRESHED


def test_hooks_run_on_a_skip_when_asked_to(shop: Project, clock: Clock) -> None:
    """Otherwise a table that is left alone is left alone."""
    shop.sql("create table {s}.said (what string) using delta")
    hook = "post_hook=\"insert into {{ target.schema }}.said values ('{{ this.name }}')\""
    shop.model("totals", f"{{{{ config(schedule='1d', hooks_on_skip=true, {hook}) }}}} " + TOTALS)
    shop.model(
        "orders", f"{{{{ config({hook}) }}}} select id, customer, amount from {{{{ source('raw', 'raw_orders') }}}}"
    )
    actions(shop)
    clock.set("2026-11-19 12:05:00")
    skipped = actions(shop)

    assert skipped == {"orders": "SKIP", "totals": "SKIP"}
    assert shop.sql("select what, count(*) from {s}.said group by 1 order by 1") == [("orders", 1), ("totals", 2)]


def test_three_errors_in_a_row_suspend_a_table(shop: Project, clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    """dbt fails it, and skips what is below, until it is resumed, edited or forced; a success starts the count anew."""
    shop.sql("create table {s}.limits (most int) using delta", "insert into {s}.limits values (1000)")
    text = (
        "select o.id, o.customer, if(o.amount > l.most, raise_error('too much'), o.amount) as amount "
        "from {{ source('raw', 'raw_orders') }} o cross join {{ target.schema }}.limits l"
    )
    shop.model("orders", text)
    actions(shop)
    shop.model("orders", text.replace("o.id", "o.idd"))
    shop.dbt("run")
    shop.model("orders", text)
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7000)")
    failed = [shop.dbt("run", "-s", "orders").success for _ in range(3)]
    left = shop.dbt("run")
    properties = dict(shop.sql("show tblproperties {s}.orders__trickle"))
    shop.model("orders", "{{ config(on_stale='warn') }} " + text)
    warned = shop.dbt("run")
    resumed = [trickle(shop, "resume", "orders") for _ in range(2)]
    again = shop.dbt("run", "-s", "orders")
    shop.sql("update {s}.raw_orders set amount = 70 where id = 4")
    well = shop.dbt("run", "--vars", "{trickle_force: true}")

    assert failed == [False, False, False]
    assert (left.success, left.status("orders"), left.status("totals")) == (False, "error", "skipped")
    assert "SUSPENDED (suspended): The last 3 refreshes of orders failed" in left.message("orders")
    assert "`dbt-trickle resume orders` lifts it" in left.message("orders")
    assert (properties["trickle.consecutive_errors"], properties["trickle.status"]) == ("3", "suspended")
    assert (warned.success, warned.action("orders"), warned.action("totals")) == (True, "SUSPENDED", "NO_DATA")
    assert resumed == [0, 0] and "its 3 failures in a row are forgiven" in capsys.readouterr().out
    assert "too much" in again.message("orders")
    assert well.success and well.action("orders") in REFRESHED
    assert dict(shop.sql("show tblproperties {s}.orders__trickle"))["trickle.status"] == "active"


def test_a_table_that_is_suspended_by_hand(shop: Project, clock: Clock) -> None:
    """It keeps its rows whatever comes, and an explicit refresh refreshes it once."""
    actions(shop)
    assert trickle(shop, "suspend", "orders", "totals") == 0
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7)")
    left = shop.dbt("run")
    forced = actions(shop, "--vars", "{trickle_force: true}", "-s", "orders")
    assert trickle(shop, "resume", "totals") == 0
    resumed = actions(shop)

    assert left.success
    assert [left.message(name) for name in ("orders", "totals")] == ["SUSPENDED (by hand)"] * 2
    assert left.response("orders")["reason_code"] == "suspended_by_hand"
    assert forced == {"orders": "APPEND"}
    assert resumed["orders"] == "SUSPENDED" and resumed["totals"] in REFRESHED


def trickle(shop: Project, *arguments: str) -> int:
    """A command of dbt-trickle in the project."""
    return main([*arguments, "--project-dir", str(shop.root), "--profiles-dir", str(shop.root)])


def test_a_circle_through_a_source_is_refused(shop: Project) -> None:
    """dbt sees no circle where one step is the name of a table."""
    shop.dbt("run")
    schema = json.dumps([{"name": "made", "schema": "{{ target.schema }}", "tables": [{"name": "totals"}]}])
    shop.write("models/made.yml", f"sources: {schema}\n")
    shop.model("orders", "select 1 as id, customer, total as amount from {{ source('made', 'totals') }}")
    by_source = shop.dbt("run")
    shop.model("orders", "select 1 as id, customer, total as amount from {{ target.schema }}.totals")
    by_name = shop.dbt("run")

    assert not by_source.success and not by_name.success
    assert "orders reads itself: orders → source made.totals → totals → orders" in by_source.message("orders")
    assert "orders reads itself: orders → totals → orders" in by_name.message("orders")


def test_selections_retries_and_double_runs(shop: Project, clock: Clock) -> None:
    """A daily table that a due one reads is refreshed with it, and not without it; a failure leaves the slot open."""
    daily = "{{ config(schedule='1d') }} select id, customer, amount from {{ source('raw', 'raw_orders') }}"
    often = "{{ config(schedule='5m') }} "
    shop.model("orders", daily)
    shop.model("totals", often + TOTALS)
    actions(shop)
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7)")
    clock.set("2026-11-19 12:05:00")
    alone = actions(shop, "-s", "orders")
    without = actions(shop, "--exclude", "orders")
    clock.set("2026-11-19 12:10:01")
    upwards = actions(shop, "-s", "+totals", "--threads", "4")
    double = actions(shop, "--threads", "4")
    shop.model("totals", often + TOTALS.replace("sum(amount)", "sum(if(amount > 0, raise_error('no'), amount))"))
    clock.set("2026-11-19 12:15:00")
    failed = shop.dbt("run")
    shop.model("totals", often + TOTALS)
    shop.sql("insert into {s}.raw_orders values (5, 'cid', 8)")
    clock.set("2026-11-19 12:16:00")
    retried = shop.dbt("retry")

    assert alone == {"orders": "SKIP"}
    assert without == {"totals": "NO_DATA"}
    assert upwards == {"orders": "APPEND", "totals": upwards["totals"]} and upwards["totals"] in REFRESHED
    assert double == {"orders": "SKIP", "totals": "SKIP"}
    assert (failed.success, failed.status("totals")) == (False, "error")
    assert (retried.success, list(retried.results)) == (True, ["totals"])
    assert shop.dbt("test").success
