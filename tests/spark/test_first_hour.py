"""What a newcomer meets in the first hour: mistakes are told in the model's own lines, and every model is explained."""

from __future__ import annotations

import json

import pytest

from dbt.adapters.trickle.cli import main
from tests.spark.dbt_project import Project

pytestmark = [pytest.mark.spark]

KINDS = ("table", "view", "incremental", "stream_table")
WRONG = "select 1 as a,\n  nope as b\nfrom {{ source('raw', 'raw_orders') }}"


def test_a_mistake_is_told_in_the_models_own_lines(shop: Project) -> None:
    """Whatever dbt puts around its SELECT. Macros are listed under the message where the user wrote them."""
    for kind in KINDS:
        shop.model(f"wrong_{kind}", f"{{{{ config(materialized='{kind}') }}}}\n{WRONG}")
    shop.write(
        "macros/mine.sql", "{% macro mine() %}{{ exceptions.raise_compiler_error('mine says no') }}{% endmacro %}"
    )
    shop.model("wrong_macro", "{% if execute %}{{ mine() }}{% endif %} select 1 as a")
    shop.model("wrong_key", "{{ config(shedule='1h') }} select 1 as a")

    ran = shop.dbt("run", "-s", *(f"wrong_{kind}" for kind in KINDS), "wrong_key", "wrong_macro")

    for kind in KINDS:
        message = ran.message(f"wrong_{kind}")
        assert "line 3" in message, message
        assert "macro" not in message, message
    assert "schedule" in ran.message("wrong_key")
    assert "macro" not in ran.message("wrong_key")
    assert "> in macro mine (macros/mine.sql)" in ran.message("wrong_macro")


def test_every_model_is_explained_or_told_why_not(shop: Project, capsys: pytest.CaptureFixture[str]) -> None:
    """An incremental model as the whole query it is; what has no SELECT, and what is not there, in one sentence."""
    orders = "{{ ref('orders') }}"
    shop.model(
        "grown",
        "{{ config(materialized='incremental', unique_key='id') }}\n"
        f"select id, amount from {orders} {{% if is_incremental() %}} "
        "where id > (select max(id) from {{ this }}) {% endif %}",
    )
    shop.model("plain", f"{{{{ config(materialized='table') }}}} select id from {orders}")
    shop.model("within", f"{{{{ config(materialized='ephemeral') }}}} select id from {orders}")
    shop.model("reads", "select id from {{ ref('within') }} where id > 1")
    shop.model("asks", "{% set n = run_query('select 7 as n') %}select {{ n.rows[0][0] if execute else 0 }} as n")
    shop.write("seeds/colours.csv", "a,b\n1,x\n")
    assert shop.dbt("run", "--exclude", "asks").success
    place = ["--project-dir", str(shop.root), "--profiles-dir", str(shop.root)]
    capsys.readouterr()

    names = ("grown", "plain", "within", "reads", "asks")
    assert main(["explain", "--format", "json", *place, "--model", *names]) == 0
    told = {one["id"]: one["verdict"] for one in map(json.loads, capsys.readouterr().out.splitlines())}
    assert told == dict.fromkeys(names, "incremental")

    assert main(["verify", "--rounds", "2", "--memory", "0", *place, "--model", "totals", "grown"]) == 0
    *lines, _ = capsys.readouterr().out.splitlines()
    assert {one["id"]: one["verdict"] for one in map(json.loads, lines)} == {"totals": "exact", "grown": "exact"}

    for name, sentence in (
        ("colours", "is a seed, not a model"),
        ("grwon", "there is no model grwon; did you mean grown?"),
    ):
        assert main(["explain", *place, "--model", name]) == 2
        said = capsys.readouterr().err
        assert sentence in said
        assert said.count("\n") == 1
