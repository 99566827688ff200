"""What the engine has no type for is asked of Spark, so that such models are maintained."""

from __future__ import annotations

import pytest

from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

AT_THE_TOP = """
select id, timestamp'2024-01-01 00:00:00' as at from {{ source('raw', 'raw_orders') }}
union all
select id, to_timestamp(concat('2024-01-0', cast(id as string))) as at from {{ source('raw', 'raw_orders') }}
"""
BELOW = """
with told as (select id, concat('2024-01-0', cast(id as string)) as day, amount from {{ source('raw', 'raw_orders') }}),
every as (
    select id, timestamp'2024-01-01 00:00:00' as at, current_date() as shown from told
    union all
    select id, to_timestamp(day), last_day(to_timestamp(day)) from told where amount > 0
)
select at, count(*) as n from every group by at
"""


def test_a_union_of_what_only_spark_has_types_for_is_maintained(shop: Project) -> None:
    """At the top and in a CTE: the change alone is applied, the rows are the query's, and resting costs nothing."""
    for name, text in (("at_the_top", AT_THE_TOP), ("below", BELOW)):
        shop.model(name, "{{ config(refresh_mode='incremental') }}" + text)
    built = shop.dbt("run", "-s", "at_the_top", "below")
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7)", "delete from {s}.raw_orders where id = 2")
    changed = shop.dbt("build", "-s", "at_the_top", "below")
    quiet = shop.dbt("run", "-s", "at_the_top", "below")

    assert built.success
    assert changed.success
    assert [changed.action(one) for one in ("at_the_top", "below")] == ["INCREMENTAL", "INCREMENTAL"]
    assert [quiet.action(one) for one in ("at_the_top", "below")] == ["NO_DATA", "NO_DATA"]
    assert shop.sql("select count(*), count(distinct at) from {s}.at_the_top") == [(6, 3)]
    assert shop.sql("select n from {s}.below order by at") == [(4,), (1,), (1,)]
