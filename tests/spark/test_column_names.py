"""A stream table's columns may be called anything, in dbt as well as in the engine."""

from __future__ import annotations

import pytest

from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark


def test_names_nobody_chose_are_users_to_see_and_read_on_from(shop: Project) -> None:
    """A model without aliases, one whose names look like ours, and a reader of both."""
    shop.model(
        "totals", "select customer, sum(amount), count(*) as __trickle_count from {{ ref('orders') }} group by 1"
    )
    forced = "{{ config(refresh_mode='incremental') }} "
    shop.model("readers", f"{forced} select `sum(amount)` + 1, __trickle_count as `a, b` from {{{{ ref('totals') }}}}")
    built = shop.dbt("build")
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7)", "delete from {s}.raw_orders where id = 2")
    changed = shop.dbt("build")

    assert [built.success, changed.success] == [True, True]
    assert changed.action("readers") == "INCREMENTAL"
    assert shop.sql("select `sum(amount)`, __trickle_count from {s}.totals order by customer") == [(15, 2), (7, 1)]
    assert shop.sql("select `(sum(amount) + 1)`, `a, b` from {s}.readers order by 1") == [(8, 1), (16, 2)]
