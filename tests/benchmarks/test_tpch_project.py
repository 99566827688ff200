"""The texts of TPC-H become models without a change but the names of tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.tpch_project import query_and_variant, query_of, read_queries, with_tables, write_tpch

TEXT = """-- revenue of a nation
with lineitem0 as (select * from lineitem l)
select nation, sum(o_totalprice) as part from (select n_name as nation, o_totalprice from orders, nation n2) as x
join lineitem0 on nation = 'part' group by nation"""


def test_only_names_of_tables_are_replaced() -> None:
    """Not columns, aliases, CTEs and texts that are called like a table."""
    replaced = with_tables(TEXT, lambda table: f"<{table}>")

    assert replaced.count("<") == 3
    assert "from <lineitem> l)" in replaced
    assert "from <orders>, <nation> n2)" in replaced
    assert query_of(TEXT).replace("tpch.", "") == TEXT


def test_every_query_is_a_model_of_every_variant(tmp_path: Path) -> None:
    """The variant's folder says how it is built; tables are dbt's sources."""
    queries = {"q01": "select l_tax from lineitem", "q02": "select s_name from supplier"}
    write_tpch(tmp_path, tmp_path / "w", "1g", None, queries, ["auto", "table"])
    project = json.loads((tmp_path / "dbt_project.yml").read_text())["models"]["bench"]

    assert sorted(file.stem for file in tmp_path.rglob("*.sql")) == ["q01_auto", "q01_table", "q02_auto", "q02_table"]
    assert project == {
        "auto": {"+tags": "auto", "+materialized": "stream_table", "+refresh_mode": "auto"},
        "table": {"+tags": "table", "+materialized": "table"},
    }
    text = (tmp_path / "models" / "auto" / "q01_auto.sql").read_text()
    assert text == "select l_tax from {{ source('tpch', 'lineitem') }}"


def test_models_of_an_earlier_project_go(tmp_path: Path) -> None:
    """A folder that is used again with fewer queries must not refresh the others."""
    write_tpch(tmp_path, tmp_path / "w", "1g", None, {"q01": "select 1 as x", "q02": "select 2 as x"}, ["full"])
    write_tpch(tmp_path, tmp_path / "w", "1g", None, {"q02": "select 2 as x"}, ["full"])

    assert [file.stem for file in tmp_path.rglob("*.sql")] == ["q02_full"]


def test_a_models_name_says_query_and_variant() -> None:
    """A query's own name may have an underscore."""
    assert query_and_variant("q01_auto") == ("q01", "auto")
    assert query_and_variant("q_15_full") == ("q_15", "full")


def test_queries_are_read_from_a_folder(tmp_path: Path) -> None:
    """All, or those that are named; a name without a file is an error, and so is a folder without queries."""
    for name in ("q02", "q01"):
        (tmp_path / f"{name}.sql").write_text("select 1 as x;\n")

    assert read_queries(tmp_path) == {"q01": "select 1 as x", "q02": "select 1 as x"}
    assert list(read_queries(tmp_path, ["q02"])) == ["q02"]
    with pytest.raises(SystemExit, match="has no q03"):
        read_queries(tmp_path, ["q03"])
    with pytest.raises(SystemExit, match=r"has no q\*\.sql"):
        read_queries(tmp_path / "models")


def test_the_sum_without_a_name_gets_one(tmp_path: Path) -> None:
    """Of Q18's select list alone: Delta takes no parentheses in a name, and the other sum is a condition."""
    text = "select o_totalprice,\n\tsum(l_quantity)\nfrom\n\torders group by 1 having sum(l_quantity) > 300"
    (tmp_path / "q18.sql").write_text(text)

    (named,) = read_queries(tmp_path).values()

    assert named == text.replace("sum(l_quantity)\nfrom", "sum(l_quantity) as sum_quantity\nfrom")
