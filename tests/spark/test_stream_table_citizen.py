"""A stream table is a dbt model like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

ORDERS = "select id, upper(customer) as customer, amount from {{ source('raw', 'raw_orders') }}"


@pytest.mark.parametrize("other", ["table", "view", "incremental", "ephemeral"])
def test_becoming_something_else_and_back_leaves_nothing(shop: Project, other: str) -> None:
    """Rows are right at every turn, and no storage remains of what the model was."""
    shop.dbt("run")
    shop.model("orders", f"{{{{ config(materialized='{other}') }}}} {ORDERS}")
    away = shop.dbt("run")
    remains = shop.relations()
    totals = shop.rows("totals")
    shop.model("orders", ORDERS)
    back = shop.dbt("build")

    assert (away.success, back.success) == (True, True)
    assert "orders__trickle" not in remains
    assert ("orders" in remains) == (other != "ephemeral")
    assert totals == shop.rows("totals") == [("ANN", 15, 2), ("BOB", 20, 1)]


def test_empty_touches_nothing_that_exists(shop: Project) -> None:
    """`--empty` puts up an empty view where nothing is, and leaves rows and state alone where something is."""
    first = shop.dbt("run", "--empty")
    empty = shop.rows("totals")
    shop.dbt("run")
    second = shop.dbt("run", "--empty")

    assert (first.success, second.success, empty) == (True, True, [])
    assert shop.rows("totals") == [("ANN", 15, 2), ("BOB", 20, 1)]
    assert shop.dbt("run").action("totals") == "NO_DATA"


def test_hooks_of_both_sorts_run_in_order(shop: Project) -> None:
    """Outside, inside, model, inside, outside."""
    shop.sql("create table {s}.hooked (n bigint, what string) using delta")
    tell = f"insert into {shop.schema}.hooked select count(*), '%s' from {shop.schema}.hooked"
    config = (
        f"pre_hook=[{{'sql': \"{tell % 'pre'}\", 'transaction': true}}, before_begin(\"{tell % 'before'}\")], "
        f'post_hook=[after_commit("{tell % "after"}"), "{tell % "post"}"]'
    )
    shop.model("orders", f"{{{{ config({config}) }}}} {ORDERS}")
    ran = shop.dbt("run", "-s", "orders")

    assert ran.success
    assert shop.rows("hooked") == [(0, "before"), (1, "pre"), (2, "post"), (3, "after")]


def test_comments_are_kept_and_written_once(shop: Project) -> None:
    """persist_docs reaches the view; equal comments cost no statement, another comment costs no rebuild."""
    described = (
        'models: [{name: orders, description: "Ann\'s orders", '
        "config: {persist_docs: {relation: true, columns: true}}, columns: [{name: id, description: 'the %s'}]}]"
    )
    shop.write("models/schema.yml", SOURCES + described % "key")
    shop.dbt("run", "-s", "orders")
    first = shop.sql("describe table {s}.orders")
    quiet = shop.dbt("run", "-s", "orders")
    shop.write("models/schema.yml", SOURCES + described % "number")
    reworded = shop.dbt("run", "-s", "orders")

    assert first[0] == ("id", "int", "the key")
    assert quiet.response("orders")["statements"] == []
    assert reworded.action("orders") == "NO_DATA"
    assert [statement["kind"] for statement in reworded.response("orders")["statements"]] == ["facade", "alter"]
    assert shop.sql("describe table {s}.orders")[0] == ("id", "int", "the number")
    assert ("Comment", "Ann's orders", "") in shop.sql("describe table extended {s}.orders")


SOURCES = "sources: [{name: raw, schema: '{{ target.schema }}', tables: [{name: raw_orders}]}]\n"


def test_a_contract_is_enforced(shop: Project) -> None:
    """Wrong columns fail the model; constraints guard the storage, and a refresh that breaks one changes nothing."""
    contract = (
        "models: [{name: orders, config: {contract: {enforced: true}}, "
        "constraints: [{type: check, name: positive, expression: 'amount > 0', warn_unsupported: false}], columns: ["
        "{name: id, data_type: int, constraints: [{type: not_null, warn_unsupported: false}]}, "
        "{name: customer, data_type: string}, {name: amount, data_type: %s}]}]"
    )
    shop.write("models/schema.yml", SOURCES + contract % "bigint")
    wrong = shop.dbt("run", "-s", "orders")
    shop.write("models/schema.yml", SOURCES + contract % "int")
    right = shop.dbt("run", "-s", "orders")
    before = shop.rows("orders")
    shop.sql("insert into {s}.raw_orders values (7, 'eve', -1)")
    broken = shop.dbt("run", "-s", "orders")

    assert "enforced contract" in wrong.message("orders")
    assert right.success
    assert "positive" in broken.message("orders")
    assert shop.rows("orders") == before


def test_layout_is_applied_where_it_differs(shop: Project) -> None:
    """Properties and clustering by ALTER, partitioning by a rebuild, and nothing on an ordinary run."""
    config = "{{ config(cluster_by=['id'], tblproperties={'shop.owner': 'me'}, retention='7d') }} "
    shop.dbt("run", "-s", "orders")
    shop.model("orders", config + ORDERS)
    altered = shop.dbt("run", "-s", "orders")
    quiet = shop.dbt("run", "-s", "orders")
    shop.model("orders", "{{ config(partition_by='customer') }} " + ORDERS)
    rebuilt = shop.dbt("run", "-s", "orders")

    assert altered.action("orders") == "NO_DATA"
    assert [statement["why"] for statement in altered.response("orders")["statements"]] == [
        "properties changed",
        "clustering changed",
    ]
    assert quiet.response("orders")["statements"] == []
    assert (rebuilt.action("orders"), rebuilt.response("orders")["reason_code"]) == ("REINITIALIZE", "layout_changed")
    assert shop.dbt("test", "-s", "orders").success


def test_a_location_is_moved_to_and_read_from(shop: Project, tmp_path: Path) -> None:
    """The storage moves when `location_root` appears, and is maintained and read downstream where it lies."""
    shop.dbt("run")
    shop.model("orders", f"{{{{ config(location_root='{tmp_path}/else where') }}}} " + ORDERS)
    moved = shop.dbt("run")
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7)")
    grown = shop.dbt("build")

    assert moved.success
    assert (tmp_path / "else where" / "orders__trickle" / "_delta_log").is_dir()
    assert (grown.success, grown.action("orders")) == (True, "APPEND")
    assert shop.rows("totals") == [("ANN", 15, 2), ("BOB", 20, 1), ("CID", 7, 1)]


def test_clone_show_docs_and_unit_tests(shop: Project) -> None:
    """Commands that only look at models find nothing special about a stream table."""
    shop.dbt("run")
    shop.write(
        "models/unit.yml",
        "unit_tests:\n  - name: sums\n    model: totals\n    given:\n"
        "      - {input: ref('orders'), rows: [{id: 1, customer: A, amount: 2}, {id: 2, customer: A, amount: 3}]}\n"
        "    expect: {rows: [{customer: A, total: 5, n: 2}]}\n",
    )
    unit = shop.dbt("test", "-s", "test_type:unit")
    shown = shop.dbt("show", "-s", "totals")
    documented = shop.dbt("docs", "generate")
    state = shop.root / "state"
    state.mkdir()
    (state / "manifest.json").write_bytes((shop.root / "target/manifest.json").read_bytes())
    cloned = shop.dbt("clone", "--target", "ci", "--state", str(state))

    assert (unit.success, shown.success, documented.success, cloned.success) == (True, True, True, True)
    assert sorted(shop.sql("select * from {s}_ci.totals")) == shop.rows("totals")


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ("refresh_mode='immediate'", "`refresh_mode: immediate` does not exist"),
        ("refresh_mod='full'", "did you mean `refresh_mode`?"),
        ("schedule='7x'", "`schedule: 7x` is not allowed"),
        ("materialized='table', grants={'select': ['bi']}", "`grants` cannot be applied"),
    ],
)
def test_a_wrong_config_is_a_sentence(shop: Project, config: str, sentence: str) -> None:
    """The model fails to compile, and says how to go on."""
    shop.model("orders", f"{{{{ config({config}) }}}} {ORDERS}")

    assert sentence in shop.dbt("run", "-s", "orders").message("orders")


def test_wrong_sql_says_where(shop: Project) -> None:
    """Spark's own words for what Spark refuses, ours with line and column for what cannot be maintained."""
    shop.model("orders", "select custome from {{ source('raw', 'raw_orders') }}")
    refused = shop.dbt("run", "-s", "orders")
    shop.model(
        "orders",
        "{{ config(refresh_mode='incremental') }}\nselect id,\n  rand() as lot from {{ source('raw', 'raw_orders') }}",
    )
    unsupported = shop.dbt("run", "-s", "orders")

    assert "UNRESOLVED_COLUMN" in refused.message("orders")
    assert "line 3, column 3" in unsupported.message("orders")
