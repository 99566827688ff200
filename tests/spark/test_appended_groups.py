"""Groups to which changes are appended: what users, tests and tables above read is what is there."""

from __future__ import annotations

import pytest

from dbt.adapters.trickle.history.delta_files.snapshot import size_at
from dbt.adapters.trickle.storages.table_properties import APPENDED
from tests.spark.dbt_project import Project
from trickle.apply.append_groups import MOST_FILES

pytestmark = pytest.mark.spark

TOTALS = """
select customer, sum(amount) as total, count(*) as n, sum(amount) > 12 as big
from {{ source('raw', 'raw_orders') }} group by customer
"""
EVERYTHING = "select count(*) as n, sum(amount) as total from {{ source('raw', 'raw_orders') }}"
SEEN = "select customer from {{ source('raw', 'raw_orders') }} group by customer having count(*) > 1"
ABOVE = "select total, count(*) as customers from {{ ref('totals') }} group by total"
CHECKED = """
models:
  - {name: everything, data_tests: [stream_table_exact, stream_table_state]}
  - {name: seen, data_tests: [stream_table_exact, stream_table_state]}
  - {name: above, data_tests: [stream_table_exact, stream_table_state]}
"""
CHANGES = (
    "insert into {s}.raw_orders values (4, 'cid', 7), (5, 'ann', 100), (6, null, 3)",
    "update {s}.raw_orders set amount = 21 where id = 2",
    "update {s}.raw_orders set amount = 20 where id = 2",
    "delete from {s}.raw_orders where customer = 'ann'",
    "insert into {s}.raw_orders values (1, 'ann', 10), (3, 'ann', 5), (7, null, 1)",
    "delete from {s}.raw_orders",
    "insert into {s}.raw_orders values (1, 'ann', 10), (2, 'bob', 15)",
)


@pytest.fixture
def grouped(shop: Project) -> Project:
    shop.model("totals", TOTALS)
    shop.model("everything", EVERYTHING)
    shop.model("seen", SEEN)
    shop.model("above", ABOVE)
    shop.write("models/grouped.yml", CHECKED)
    return shop


def test_what_is_there_is_shown(grouped: Project) -> None:
    """Groups change, return to what they were, go and come back; the first refresh makes the table one that grows."""
    models = ("-s", "totals", "everything", "seen", "above")
    assert grouped.dbt("build", "--vars", "{}", *models).success
    taken: list[dict[str, str]] = []
    for change in CHANGES:
        grouped.sql(change)
        built = grouped.dbt("build", *models)
        assert built.success, {name: built.message(name) for name in built.results}
        taken.append(
            {name: str(built.response(name)["strategy"]) for name in ("totals", "everything", "seen", "above")}
        )

    assert "append_groups" not in taken[0].values()
    assert all("append_groups" in (taken_by[name] for taken_by in taken[1:]) for name in taken[0])
    assert grouped.rows("totals") == [("ann", 10, 1, False), ("bob", 15, 1, True)]
    assert grouped.sql("show tblproperties {s}.totals__trickle ('" + APPENDED + "')")[0][1] == "true"


def test_a_rebuild_and_a_full_refresh_start_from_one_row_a_group(grouped: Project) -> None:
    """What was appended is gone with the storage; a model that cannot be appended to any more shows plain rows."""
    grouped.dbt("run", "-s", "totals")
    for change in CHANGES[:3]:
        grouped.sql(change)
        grouped.dbt("run", "-s", "totals")
    full = grouped.dbt("run", "--full-refresh", "-s", "totals")
    rows = grouped.sql("select count(*) from {s}.totals__trickle")
    grouped.sql(CHANGES[3])
    appended = grouped.dbt("build", "-s", "totals")
    grouped.model("totals", TOTALS.replace("sum(amount)", "sum(cast(amount as double))"))
    plain = grouped.dbt("build", "-s", "totals")

    assert full.success and appended.success and plain.success
    assert rows == [(4,)]
    assert plain.response("totals")["reason_code"] == "definition_changed"
    assert "group by" not in str(grouped.sql("show create table {s}.totals")[0][0]).lower().partition("as select")[2]


def test_many_files_are_made_one(grouped: Project) -> None:
    """So that readers need not add up ever more."""
    grouped.model("everything", "{{ config(refresh_mode='incremental') }} " + EVERYTHING)
    grouped.dbt("run", "-s", "everything")
    taken, files = [], []
    for number in range(MOST_FILES + 4):
        grouped.sql(f"insert into {{s}}.raw_orders values ({100 + number}, 'zoe', 1)")
        taken.append(grouped.dbt("run", "-s", "everything").response("everything")["strategy"])
        log = grouped.storage_log("everything")
        files.append(size_at(log, log.latest).files)

    assert set(taken) == {"append_groups", "overwrite"}
    assert max(files) <= MOST_FILES and taken[0] == "overwrite"
    assert grouped.rows("everything") == [(MOST_FILES + 7, 35 + MOST_FILES + 4)]
