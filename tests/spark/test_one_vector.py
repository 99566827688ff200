"""All stream tables of a run reflect one version of every base table, whoever writes meanwhile."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from tests.spark.dbt_project import Outcome, Project

pytestmark = pytest.mark.spark

WRITE = "insert into {{ target.schema }}.raw_orders values (100, 'zoe', 1)"
MORE = "insert into {{ target.schema }}.raw_orders values (101, 'ann', 20)"

FLAT = {
    "small": "select id, customer, amount from {raw} where amount < 50",
    "large": "select id, customer, amount from {raw} where amount >= 15",
    "per_customer": "select customer, sum(amount) as total from ({small}) group by customer",
    "diamond": "select s.id, l.amount from ({small}) s join ({large}) l on s.id = l.id",
    "levels": "select p.customer, p.total, r.id from ({per_customer}) p join {raw} r on p.customer = r.customer",
    "deep": "select d.id, v.total from ({diamond}) d join ({levels}) v on d.id = v.id",
}
"""Every model as a query of the one base table."""

READS = {
    "small": "select id, customer, amount from {{ source('raw', 'raw_orders') }} where amount < 50",
    "large": "select id, customer, amount from {{ source('raw', 'raw_orders') }} where amount >= 15",
    "per_customer": "select customer, sum(amount) as total from {{ ref('small') }} group by customer",
    "diamond": "select s.id, l.amount from {{ ref('small') }} s join {{ ref('large') }} l on s.id = l.id",
    "levels": "select p.customer, p.total, r.id from {{ ref('per_customer') }} p "
    "join {{ source('raw', 'raw_orders') }} r on p.customer = r.customer",
    "deep": "select d.id, v.total from {{ ref('diamond') }} d join {{ ref('levels') }} v on d.id = v.id",
}


@pytest.fixture
def busy(shop: Project) -> Project:
    """Two diamonds on one base table; before and after every node somebody writes into it."""
    (shop.root / "models" / "orders.sql").unlink()
    (shop.root / "models" / "totals.sql").unlink()
    shop.write(
        "models/schema.yml",
        "sources: [{name: raw, schema: '{{ target.schema }}', tables: [{name: raw_orders}]}]\n"
        "models:\n" + "".join(f"  - {{name: {name}, data_tests: [stream_table_exact]}}\n" for name in READS),
    )
    hooks = json.dumps({"pre_hook": [MORE], "post_hook": [WRITE]})[1:-1].replace('"pre_hook":', "pre_hook=")
    hooks = hooks.replace('"post_hook":', "post_hook=")
    for name, sql in READS.items():
        shop.model(name, f"{{{{ config(refresh_mode='incremental', {hooks}) }}}}\n{sql}")
    return shop


def flat(name: str, version: int) -> str:
    """The whole query behind a model, over the base table at one version."""
    filled = {"raw": f"{{s}}.raw_orders version as of {version}"}
    text = FLAT[name]
    while "{" in text.replace("{s}", ""):
        text = text.replace("{raw}", filled["raw"])
        for other, query in FLAT.items():
            text = text.replace(f"({{{other}}})", f"({query})")
    return text


def assert_exact(project: Project, ran: Outcome, vectors: Mapping[str, int]) -> None:
    for name, version in vectors.items():
        assert ran.response(name)["vector"] == {f"{project.schema}.raw_orders": version}, name
        expected = sorted(tuple(row) for row in project.sql(flat(name, version)))
        assert project.rows(name) == expected, f"{name} is not its query at version {version}"


def test_every_node_reflects_the_version_pinned_first(busy: Project) -> None:
    """Writes come between nodes, and with threads while nodes run: no two nodes of a run see different ones."""
    for threads in ("1", "4"):
        ran = busy.dbt("run", "--threads", threads)
        assert ran.success
        (version,) = {response["vector"][f"{busy.schema}.raw_orders"] for response in map(ran.response, READS)}
        latest = busy.sql("describe history {s}.raw_orders")[0][0]
        assert latest > version + 2, "nobody wrote during the run"
        assert_exact(busy, ran, dict.fromkeys(READS, version))
        assert not any(ran.response(name)["notes"] for name in READS)
        busy.sql(
            "update {s}.raw_orders set amount = amount + 1 where customer = 'ann'",
            "delete from {s}.raw_orders where id = 100",
        )


def test_a_part_of_the_graph_stays_with_what_it_reads(busy: Project) -> None:
    """Left out of a selection, an upstream holds its readers to its own version; nothing is lost afterwards."""
    first = busy.dbt("run")
    base = f"{busy.schema}.raw_orders"
    at = first.response("deep")["vector"][base]

    partial = busy.dbt("run", "-s", "levels", "large")
    skipped = busy.dbt("run", "-s", "deep")
    everything = busy.dbt("run")

    assert partial.action("levels") == "NO_DATA"
    assert partial.response("levels")["reason_code"] == "held_back"
    assert f"{busy.schema}.per_customer reflects version {at}" in partial.response("levels")["reason"]
    assert partial.response("large")["vector"][base] > at
    assert skipped.response("deep")["vector"] == {base: at}
    assert everything.success
    (version,) = {everything.response(name)["vector"][base] for name in READS}
    assert_exact(busy, everything, dict.fromkeys(READS, version))
