"""A storage in partitions, and columns called by their schema: what case files cannot write."""

from __future__ import annotations

import pytest

from tests.spark.dbt_project import Project
from trickle.apply.price import Rates
from trickle.apply.strategy import Prices
from trickle.planning import refresh

pytestmark = pytest.mark.spark

MODELS = {
    "orders": ("customer", "select id, upper(customer) as customer, amount from {{ source('raw', 'raw_orders') }}"),
    "totals": ("n", "select customer, sum(amount) as total, count(*) as n from {{ ref('orders') }} group by customer"),
    "biggest": ("most", "select customer, max(amount) as most from {{ ref('orders') }} group by customer"),
}


@pytest.fixture
def parted(shop: Project) -> Project:
    """Partitions by a column of the rows, by a count, and by an extreme that deletes lower."""
    shop.write(
        "models/schema.yml",
        "sources: [{name: raw, schema: '{{ target.schema }}', tables: [{name: raw_orders}]}]\n"
        "models:\n" + "".join(f"  - {{name: {name}, data_tests: [stream_table_exact]}}\n" for name in MODELS),
    )
    for name, (column, text) in MODELS.items():
        shop.model(name, f"{{{{ config(refresh_mode='incremental', partition_by='{column}') }}}}\n{text}")
    return shop


@pytest.mark.parametrize("overwrite", [0.0, 1000.0], ids=["overwritten", "merged"])
def test_rows_move_to_another_partition(parted: Project, monkeypatch: pytest.MonkeyPatch, overwrite: float) -> None:
    """Whichever way a change is written: the price of overwriting decides."""
    monkeypatch.setattr(refresh, "Prices", lambda sizes, rates: Prices(sizes, Rates(overwrite=overwrite)))
    parted.dbt("build")
    parted.sql(
        "update {s}.raw_orders set customer = 'bob' where id = 1",
        "insert into {s}.raw_orders values (4, null, 7), (5, 'cid', 20)",
    )
    moved = parted.dbt("build")
    parted.sql(
        "update {s}.raw_orders set customer = 'cid' where customer is null", "delete from {s}.raw_orders where id = 2"
    )
    again = parted.dbt("build")

    assert moved.success and again.success, "the exact test of each model is part of a build"
    assert {again.action(name) for name in MODELS} == {"INCREMENTAL"}
    written = {name: again.message(name).split()[-1] for name in MODELS}
    merged = {"orders": "recount", "totals": "merge_by_key", "biggest": "replace_groups"}
    assert written == (merged if overwrite else {**merged, "orders": "overwrite", "totals": "overwrite"})
    assert parted.rows("totals") == [("ANN", 5, 1), ("BOB", 10, 1), ("CID", 27, 2)]
    assert parted.rows("biggest") == [("ANN", 5), ("BOB", 10), ("CID", 20)]


def test_a_column_may_be_called_by_its_schema_and_table(shop: Project) -> None:
    """`schema.table.column` is that column, in a stream table as in any other model."""
    orders = "{{ ref('orders') }}"
    shop.model(
        "totals",
        f"{{{{ config(refresh_mode='incremental') }}}} select {orders}.customer, sum({orders}.amount) as total"
        f" from {orders} where {orders}.amount > 5 group by {orders}.customer having max({orders}.id) > 1",
    )
    built = shop.dbt("build")
    shop.sql("insert into {s}.raw_orders values (4, 'ann', 7)", "delete from {s}.raw_orders where id = 2")
    changed = shop.dbt("build")

    assert (built.success, changed.success, changed.action("totals")) == (True, True, "INCREMENTAL")
    assert shop.rows("totals") == [("ANN", 17)]
