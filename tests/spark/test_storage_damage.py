"""A storage is made from its sources: whatever happens to its files, a run makes it again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from dbt.adapters.trickle.warehouses.embedded import spark as warehouse
from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark


def last_commit(table: Path) -> Path:
    return max((table / "_delta_log").glob("0*.json"))


def truncate(table: Path) -> None:
    commit = last_commit(table)
    commit.write_text(commit.read_text()[:200])


def spoil_commits(table: Path) -> None:
    for commit in (table / "_delta_log").glob("0*.json"):
        commit.write_text("{")


def spoil_checkpoint(table: Path) -> None:
    for checkpoint in (table / "_delta_log").glob("*.checkpoint*.parquet"):
        checkpoint.write_bytes(b"garbage")


def data_files(table: Path) -> list[Path]:
    return [file for file in table.glob("*.parquet") if file.is_file()]


def delete_data(table: Path) -> None:
    for file in data_files(table):
        file.unlink()


def spoil_footer(table: Path) -> None:
    for file in data_files(table):
        content = file.read_bytes()
        footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
        file.write_bytes(content[:footer] + b"\xff" * 40 + content[footer + 40 :])


def spoil_data(table: Path) -> None:
    for file in data_files(table):
        content = file.read_bytes()
        file.write_bytes(content[:4] + b"\0" * 20 + content[24:])


def empty(table: Path) -> None:
    shutil.rmtree(table)
    table.mkdir()


KINDS: dict[str, Callable[[Path], None]] = {
    "truncated": truncate,
    "gap": lambda table: (table / "_delta_log" / f"{0:020d}.json").unlink(),
    "no_commit_readable": spoil_commits,
    "checkpoint": spoil_checkpoint,
    "data_gone": delete_data,
    "data_spoilt": spoil_data,
    "footer_spoilt": spoil_footer,
    "no_log": lambda table: shutil.rmtree(table / "_delta_log"),
    "empty_folder": empty,
}


def forget_logs() -> None:
    """What a new process would not know: Delta keeps logs in memory."""
    running = warehouse._running  # noqa: SLF001
    assert running is not None
    running.root._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()  # noqa: SLF001


TOTALS = "select customer, sum(amount) as total from {{ source('raw', 'raw_orders') }} group by customer"


def damage(shop: Project, kinds: set[str]) -> None:
    """Break each table in the way that it is called by; one is unknown to the catalog besides."""
    for kind in kinds - {"unregistered"}:
        table = shop.storage_log(kind).path
        for sums in [*table.glob(".*.crc"), *(table / "_delta_log").glob(".*.crc")]:
            sums.unlink()
        KINDS[kind](table)
    kept = shop.root / "kept"
    shutil.copytree(shop.storage_log("unregistered").path, kept)
    shop.sql("drop table {s}.unregistered__trickle")
    shutil.move(kept, shop.storage_log("unregistered").path)
    truncate(shop.storage_log("unregistered").path)
    forget_logs()


def grow(shop: Project, table: str, commits: int) -> None:
    """Commits that change no rows, until Delta writes a checkpoint."""
    shop.sql(*[f"alter table {{s}}.{table} set tblproperties ('a{one}' = 'b')" for one in range(commits)])


def test_a_damaged_storage_is_made_again(shop: Project) -> None:
    """Every kind of damage: an ordinary run finds it, says what is wrong and mends it, and so does --full-refresh."""
    names = {*KINDS, "unregistered"}
    for name in names:
        shop.model(name, TOTALS)
    chosen = ("run", "-s", *sorted(names))
    shop.dbt(*chosen)
    grow(shop, "checkpoint__trickle", 9)
    damage(shop, names)
    shop.sql("insert into {s}.raw_orders values (9, 'ann', 1)")
    mended = shop.dbt(*chosen)
    rows = {name: shop.rows(name) for name in names if mended.status(name) == "success"}
    told = {name: mended.response(name).get("reason_code") or mended.message(name) for name in names}

    assert told == dict.fromkeys(names, "storage_damaged")
    assert ".json" in mended.response("truncated")["reason"]
    assert ".parquet" in mended.response("data_gone")["reason"]
    assert rows == {name: [("ann", 16), ("bob", 20)] for name in names}

    grow(shop, "checkpoint__trickle", 9)
    worst = {"truncated", "checkpoint", "no_commit_readable", "no_log", "unregistered"}
    damage(shop, worst)
    anew = shop.dbt("run", "-s", *sorted(worst), "--full-refresh")
    again = {name: shop.rows(name) for name in worst if anew.status(name) == "success"}

    assert {name: anew.response(name).get("reason_code") or anew.message(name) for name in worst} == dict.fromkeys(
        worst, "full_refresh"
    )
    assert again == {name: rows[name] for name in worst}


def test_damage_is_found_where_nothing_changed(shop: Project) -> None:
    """NO_DATA is not said of a table that nobody can read, and a model that leaves takes its ruins along."""
    shop.dbt("run")
    delete_data(shop.storage_log("orders").path)
    truncate(shop.storage_log("totals").path)
    forget_logs()
    shop.model("totals", "{{ config(materialized='table') }} select 1 as one")
    ran = shop.dbt("run")

    assert ran.response("orders")["reason_code"] == "storage_damaged"
    assert (ran.status("totals"), shop.rows("totals")) == ("success", [(1,)])
    assert "totals__trickle" not in shop.relations()
    assert not shop.storage_log("totals").path.exists()
