"""Names are resolved through the Catalog port alone: from SQL, or from plain values, with the same answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.catalog.spark_catalog import SparkCatalog
from dbt.adapters.trickle.ports import Catalog, CatalogEntry, StatementFailed
from tests.adapter.catalog_without_spark import CatalogWithoutSpark
from trickle import Column, Failure, Table

TABLE, FILES = ("s", "csv_table"), ("parquet", "/data/X")
COLUMNS = (Column("id", "int"), Column("name", "string"))


def by_sql(folder: Path) -> Catalog:
    """A catalog that answers DESCRIBE as Spark does."""
    rows = [("id", "int", None), ("name", "varchar(3)", None), ("# Detailed Table Information", "", "")]
    answers = {
        "describe table extended `s`.`csv_table`": [*rows, ("Type", "EXTERNAL", ""), ("Provider", "csv", "")],
        "describe query select * from `parquet`.`/data/X`": rows[:2],
    }

    def execute(sql: str) -> list[tuple[object, ...]]:
        if sql in answers:
            return list(answers[sql])
        raise StatementFailed(Failure("TABLE_OR_VIEW_NOT_FOUND", "42P01", "not found"), sql)

    return SparkCatalog(lambda schema, name: folder / schema / name, execute)


def by_values(folder: Path) -> Catalog:
    entry = CatalogEntry(COLUMNS, {"Type": "EXTERNAL", "Provider": "csv"})
    return CatalogWithoutSpark(folder, entries={TABLE: entry}, files={FILES: COLUMNS})


@pytest.mark.parametrize("catalog", [by_sql, by_values], ids=["sql", "values"])
def test_both_implementations_resolve_alike(catalog: type, tmp_path: Path) -> None:
    """A table without a log, files by their path, and names that nothing bears."""
    found = SourceCatalog(catalog(tmp_path), "s")

    assert found.resolve(TABLE) == Table(TABLE, COLUMNS, versioned=False)
    assert found.resolve(FILES) == Table(FILES, COLUMNS, versioned=False)
    assert found.resolve(("s", "nowhere")) is None
    assert found.resolve(("parquet", "/data/nowhere")) is None


def test_a_name_is_asked_for_once(tmp_path: Path) -> None:
    """However often a refresh meets it."""
    catalog = by_values(tmp_path)
    assert isinstance(catalog, CatalogWithoutSpark)
    found = SourceCatalog(catalog, "s")

    for _ in range(3):
        found.resolve(TABLE)

    assert catalog.asked.count(TABLE) == 1


def test_another_failure_is_not_an_absent_name(tmp_path: Path) -> None:
    """Only the conditions of absent names mean None."""

    def execute(sql: str) -> list[tuple[object, ...]]:
        raise StatementFailed(Failure("DIVIDE_BY_ZERO", "22012", "by zero"), sql)

    with pytest.raises(StatementFailed):
        SourceCatalog(SparkCatalog(lambda schema, name: tmp_path / schema / name, execute), "s").resolve(TABLE)
