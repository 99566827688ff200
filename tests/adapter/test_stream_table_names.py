"""Resolving names: by logs first, by Spark if there is none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.catalog.spark_catalog import SparkCatalog
from dbt.adapters.trickle.options import read_config
from dbt.adapters.trickle.ports import StatementFailed
from dbt.adapters.trickle.storages.table_properties import QUERY, RETIRED, configured_properties
from tests.adapter.log_builder import LogBuilder, metadata
from trickle import Column, Failure, StreamTable, Table, View

Rows = Sequence[tuple[object, ...]]


def warehouse(folder: Path, *answers: tuple[str, Rows]) -> SourceCatalog:
    """Spark knows the given relations and nothing else."""
    known = dict(answers)

    def ask(sql: str) -> Rows:
        if sql.startswith("describe query"):
            return [("a", "int", "")]
        name = sql.removeprefix("describe table extended ").replace("`", "")
        if name not in known:
            raise StatementFailed(Failure("TABLE_OR_VIEW_NOT_FOUND", "42P01", name))
        return known[name]

    return SourceCatalog(SparkCatalog(lambda schema, name: folder / schema / name, ask), "s")


def test_a_delta_table_needs_no_spark(tmp_path: Path) -> None:
    """Its columns come from its log, whatever the case of the name and with or without the catalog."""
    LogBuilder(tmp_path / "s" / "t").create()

    found = warehouse(tmp_path).resolve(("spark_catalog", "S", "T"))

    assert found == Table(("s", "t"), (Column("a", "int"), Column("b", "string")))


def test_a_stream_table_is_its_storage(tmp_path: Path) -> None:
    """Users' columns only; the storage's name is what is probed."""
    fields = (("a", "integer"), ("__trickle_count", "long"))
    LogBuilder(tmp_path / "s" / "m__trickle").commit("CREATE TABLE", metadata(fields=fields, **{QUERY: "select 1"}))

    found = warehouse(tmp_path).resolve(("s", "m"))

    assert found == StreamTable(("s", "m"), (Column("a", "int"),), ("s", "m__trickle"))


def test_a_retired_storage_is_not_a_stream_table(tmp_path: Path) -> None:
    """The model becomes a view: the name is the view's."""
    storage = LogBuilder(tmp_path / "s" / "m__trickle").create()
    storage.commit("SET TBLPROPERTIES", metadata(**{RETIRED: "true"}))
    view: Rows = [("a", "int", ""), ("", "", ""), ("Type", "VIEW", "")]
    told: Rows = [('{"view_text": "select 1 as a"}',)]

    assert isinstance(warehouse(tmp_path, ("s.m", view), ("s.m as json", told)).resolve(("s", "m")), View)


def test_a_view_reads_the_same_from_anywhere(tmp_path: Path) -> None:
    """Bare names get the view's schema, CTE names and comments stay, and the view's own column names count."""
    view: Rows = [
        ("x", "int", None),
        ("", "", ""),
        ("# Detailed Table Information", "", ""),
        ("Type", "VIEW", ""),
    ]
    told = {
        "view_text": "with c as (select a from t) select a from c -- t",
        "view_catalog_and_namespace": "spark_catalog.other",
        "view_query_output_columns": ["a"],
    }

    found = warehouse(tmp_path, ("s.v", view), ("s.v as json", [(json.dumps(told),)])).resolve(("s", "v"))

    assert isinstance(found, View)
    assert found.columns == (Column("x", "int"),)
    assert found.definition == (
        "SELECT `a` AS `x` FROM (\nwith c as (select a from `other`.t) select a from c -- t\n) AS definition"
    )


def test_other_formats_have_no_versions(tmp_path: Path) -> None:
    """A table that is not Delta is read as it is; its CHAR columns answer as strings."""
    table: Rows = [("a", "varchar(5)", ""), ("", "", ""), ("Type", "MANAGED", ""), ("Provider", "parquet", "")]

    found = warehouse(tmp_path, ("s.p", table)).resolve(("s", "p"))

    assert found == Table(("s", "p"), (Column("a", "string"),), versioned=False)


@pytest.mark.parametrize("folder", ["Mix", "a b", "pct%20x", "br[1]", "{a,b}", "st*r?", "ü#+", "quo'te"])
def test_an_external_delta_table_is_read_in_its_folder(tmp_path: Path, folder: str) -> None:
    """Spark has its folder, with nothing escaped; the log has its content."""
    LogBuilder(tmp_path / folder / "t").create()
    place = f"file:{tmp_path}/{folder}/t"
    table: Rows = [("a", "int", ""), ("", "", ""), ("Provider", "delta", ""), ("Location", place, "")]
    found = warehouse(tmp_path, ("s.t", table))

    assert found.resolve(("s", "t")) == Table(("s", "t"), (Column("a", "int"),))
    assert found.log(("s", "t")).latest == 0


@pytest.mark.parametrize("scheme", ["", "file:", "file://"])
def test_a_path_keeps_its_case(tmp_path: Path, scheme: str) -> None:
    """delta.`/data/Mix` names a folder, and /data/mix is another."""
    LogBuilder(tmp_path / "Mix").create()
    LogBuilder(tmp_path / "mix").create().append("f1")
    found = warehouse(tmp_path)
    name = ("Delta", f"{scheme}{tmp_path}/Mix")

    assert found.resolve(name) == Table(("delta", name[1]), (Column("a", "int"), Column("b", "string")))
    assert (found.log(name).latest, found.storage_of(name)) == (0, None)


def test_files_named_by_their_path_have_no_versions(tmp_path: Path) -> None:
    """Spark lists parquet.`/data/x`, and reports a missing path."""
    columns: Rows = [("a", "char(3)", None), ("b", "int", None)]

    def ask(sql: str) -> Rows:
        if sql == "describe query select * from `parquet`.`/data/X`":
            return columns
        raise StatementFailed(Failure("PATH_NOT_FOUND", "42K03", "Path does not exist"))

    found = SourceCatalog(SparkCatalog(lambda schema, name: tmp_path / schema / name, ask), "s")

    table = Table(("parquet", "/data/X"), (Column("a", "string"), Column("b", "int")), versioned=False)
    assert found.resolve(("parquet", "/data/X")) == table
    assert found.resolve(("parquet", "/data/nowhere")) is None


def test_an_unknown_name_resolves_to_none(tmp_path: Path) -> None:
    """The engine reports it with line and column."""
    assert warehouse(tmp_path).resolve(("s", "nowhere")) is None


def test_a_layout_names_columns_as_the_storage_does() -> None:
    """Users write visible names such as `sum(x)`; no Delta table has a column of that name."""
    layout = configured_properties(
        read_config({"partition_by": ["sum(x)", "day"], "cluster_by": "`sales region`"}), "s"
    )

    assert layout.partition_by == ("sum%28x%29", "day")
    assert layout.cluster_by == ("sales%20region",)
