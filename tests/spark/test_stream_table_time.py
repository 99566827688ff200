"""The clock in dbt runs: rows leave by time, and the check runs at the instant of the refresh."""

from __future__ import annotations

import pytest

from tests.spark.clock import Clock, clock
from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

__all__ = ["clock"]

RECENT = """{{ config(refresh_mode='incremental') }}
select event_id, current_timestamp() as loaded_at
from {{ source('raw', 'events') }}
where happened > current_date - interval 7 days and happened <= now()"""

SCHEMA = """version: 2
sources: [{name: raw, schema: "{{ target.schema }}", tables: [{name: events}]}]
models: [{name: recent, data_tests: [stream_table_exact]}]
"""


def ids(shop: Project) -> list[int]:
    return sorted(row[0] for row in shop.rows("recent"))


def test_rows_come_and_go_with_time(shop: Project, clock: Clock) -> None:
    """No source changes; the edges move, the check agrees at the recorded instant, and what is shown stays."""
    shop.sql(
        "create table {s}.events (event_id int, happened timestamp) using delta",
        "insert into {s}.events values (1, timestamp '2026-11-13 08:00:00'), (2, timestamp '2026-11-19 13:00:00')",
    )
    shop.write("models/time.yml", SCHEMA)
    shop.model("recent", RECENT)
    built = shop.dbt("run", "--select", "recent").action("recent")
    first = ids(shop)
    clock.set("2026-11-19 14:00:00")
    entered = shop.dbt("run", "--select", "recent").action("recent")
    second, loaded = ids(shop), {row[1] for row in shop.rows("recent")}
    rested = shop.dbt("run", "--select", "recent").action("recent")
    clock.set("2026-11-21 00:00:00")
    left = shop.dbt("run", "--select", "recent").action("recent")
    checked = shop.dbt("test", "--select", "recent")

    assert (built, entered, rested, left) == ("FULL", "INCREMENTAL", "NO_DATA", "INCREMENTAL")
    assert (first, second, ids(shop)) == ([1], [1, 2], [2])
    assert len(loaded) == 1
    assert "current_date" not in shop.script("recent").lower()
    assert {checked.status(name) for name in checked.results} == {"pass"}
