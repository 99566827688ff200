"""The Catalog port over the answers of the run before: a view is described without Spark while nothing has changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.catalog.cached_catalog import CachedCatalog
from dbt.adapters.trickle.catalog.spark_catalog import entry_question
from dbt.adapters.trickle.ports import StatementFailed
from dbt.adapters.trickle.warehouses.embedded.catalog_cache import CatalogCache
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders
from trickle import Failure

VIEW, TABLE, NOTHING = ("shop", "totals"), ("shop", "orders"), ("shop", "nowhere")
KINDS = {entry_question(VIEW): "VIEW", entry_question(TABLE): "MANAGED"}


class Run:
    """A run over the warehouse, and what it has asked of Spark."""

    def __init__(self, folders: WarehouseFolders) -> None:
        self.folders = folders
        self.asked: list[str] = []
        self.answers = CatalogCache()
        self.answers.begin(folders)
        self.catalog = CachedCatalog(lambda schema, name: folders.data / schema / name, self.execute, self.answers)

    def execute(self, sql: str) -> Sequence[Sequence[Any]]:
        if not self.asked:
            self.answers.starts(self.folders)
        self.asked.append(sql)
        if sql not in KINDS:
            raise StatementFailed(Failure("TABLE_OR_VIEW_NOT_FOUND", "42P01", "not found"), sql)
        return [("id", "int", None), ("# Detailed Table Information", "", ""), ("Type", KINDS[sql], "")]

    def entries(self) -> list[object]:
        return [self.catalog.entry(name) for name in (VIEW, TABLE, NOTHING)]

    def end(self) -> None:
        self.answers.save(lambda question: self.execute(question) if question in KINDS else None)


@pytest.fixture
def folders(tmp_path: Path) -> WarehouseFolders:
    folders = WarehouseFolders(tmp_path)
    folders.metastore.mkdir(parents=True)
    (folders.metastore / "c10.dat").write_text("tables and views")
    return folders


def test_a_view_is_described_by_the_run_before(folders: WarehouseFolders) -> None:
    """In the same words; a table, and a name that nothing bears, are asked of Spark."""
    first = Run(folders)
    described = first.entries()
    first.end()
    second = Run(folders)

    assert second.entries() == described
    assert first.asked == [entry_question(name) for name in (VIEW, TABLE, NOTHING)]
    assert second.asked == [entry_question(name) for name in (TABLE, NOTHING)]


def test_what_a_run_has_replaced_is_described_for_the_next_one(folders: WarehouseFolders) -> None:
    """It says under which name it will be asked, and the next run starts no Spark for it."""
    first = Run(folders)
    first.catalog.entry(TABLE)
    first.answers.want(entry_question(VIEW))
    first.end()
    second = Run(folders)

    entry = second.catalog.entry(VIEW)
    assert entry is not None and entry.is_view
    assert second.asked == []


def test_a_changed_catalog_is_asked(folders: WarehouseFolders) -> None:
    first = Run(folders)
    first.entries()
    first.end()
    (folders.metastore / "c10.dat").write_text("another view")
    second = Run(folders)

    second.catalog.entry(VIEW)
    assert second.asked == [entry_question(VIEW)]
