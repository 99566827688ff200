"""Groupings inside a model that are kept as stream tables: built, kept up, checked, and gone with their model."""

from __future__ import annotations

import pytest

from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

ABOVE = """
{{ config(arrangements='always') }}
select o.id, o.amount from {{ source('raw', 'raw_orders') }} as o
where o.amount > (select avg(i.amount) from {{ source('raw', 'raw_orders') }} as i where i.customer = o.customer)
"""
SIZES = """
{{ config(arrangements='always') }}
select n, count(*) as customers
from (select customer, count(*) as n, sum(amount) as total from {{ source('raw', 'raw_orders') }} group by customer)
where total > 5 group by n
"""
CHECKED = """
models:
  - {name: above, data_tests: [stream_table_exact, stream_table_state]}
  - {name: sizes, data_tests: [stream_table_exact, stream_table_state]}
"""


@pytest.fixture
def arranged(shop: Project) -> Project:
    shop.model("above", ABOVE)
    shop.model("sizes", SIZES)
    shop.write("models/arranged.yml", CHECKED)
    return shop


def arrangements(shop: Project) -> list[str]:
    """The storages of the arrangements that there are."""
    names = [str(row[1]) for row in shop.sql("show tables in {s}")]
    return sorted(name for name in names if "__part_" in name and name.endswith("__trickle"))


def test_kept_up_and_checked(arranged: Project) -> None:
    """Each model is exact after changes of every kind, and maintained by the change of its groups."""
    built = arranged.dbt("build", "-s", "above", "sizes")
    arranged.sql("insert into {s}.raw_orders values (4, 'cid', 7), (5, 'ann', 100), (6, null, 3)")
    grown = arranged.dbt("build", "-s", "above", "sizes")
    arranged.sql("update {s}.raw_orders set amount = 1 where id = 2", "delete from {s}.raw_orders where id = 3")
    changed = arranged.dbt("build", "-s", "above", "sizes")
    quiet = arranged.dbt("run", "-s", "above", "sizes")

    assert [built.success, grown.success, changed.success, quiet.success] == [True] * 4
    assert [name.partition("__")[0] for name in arrangements(arranged)] == ["above", "sizes"]
    assert [quiet.action("above"), quiet.action("sizes")] == ["NO_DATA", "NO_DATA"]
    assert [
        note for note in changed.response("sizes")["notes"] if "inside the query" in note and "sizes__part_" in note
    ]


def test_gone_with_their_model(arranged: Project) -> None:
    """When the SELECT changes those of before are dropped, and when the model is no stream table any more, all."""
    arranged.dbt("run", "-s", "above", "sizes")
    before = arrangements(arranged)
    arranged.model("sizes", SIZES.replace("sum(amount)", "max(amount)"))
    changed = arranged.dbt("build", "-s", "sizes")
    after = arrangements(arranged)
    arranged.model("sizes", SIZES.replace("arrangements='always'", "materialized='table'"))
    arranged.model("above", ABOVE.replace("always", "none"))
    left = arranged.dbt("build", "-s", "above")
    arranged.dbt("run", "-s", "sizes")

    assert changed.success and left.success
    assert len(before) == len(after) == 2 and len(set(before) & set(after)) == 1
    assert arrangements(arranged) == []
    assert left.response("above")["reason_code"] == "definition_changed"


def test_what_cannot_be_stored_is_read_from_the_sources(arranged: Project) -> None:
    """A grouping fails over rows that the query leaves out: the model is built without it, and says so."""
    arranged.sql("create table {s}.codes (customer string, code string) using delta")
    arranged.sql("insert into {s}.codes values ('ann', '1'), ('ann', '2'), ('bob', 'none')")
    arranged.model(
        "known",
        "{{ config(arrangements='always') }} select o.id, t.total from {{ source('raw', 'raw_orders') }} as o join "
        "(select customer, sum(cast(code as int)) as total from {{ this.schema }}.codes group by customer) as t "
        "on t.customer = o.customer where t.customer = 'ann'",
    )
    built = arranged.dbt("run", "-s", "known")
    arranged.sql("insert into {s}.codes values ('ann', '5')")
    again = arranged.dbt("run", "-s", "known")

    assert built.success and again.success
    (note,) = built.response("known")["notes"]
    assert note.startswith("Reads its sources, because known__part_") and "CAST_INVALID_INPUT" in note
    assert arranged.rows("known") == [(1, 8), (3, 8)]
