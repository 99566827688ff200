"""Spark's catalog with the views that the run before has described: Spark is asked what may have changed since."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dbt.adapters.trickle.catalog.spark_catalog import Execute, SparkCatalog, entry_question
from dbt.adapters.trickle.ports import Catalog
from dbt.adapters.trickle.warehouses.embedded.catalog_cache import CatalogCache, Rows, is_of_a_view
from trickle import Name


class CachedCatalog(SparkCatalog):
    """Only entries are cached, and of these only views: a table's columns are in its log or its files."""

    def __init__(self, managed_folder: Callable[[str, str], Path], execute: Execute, answers: CatalogCache) -> None:
        super().__init__(managed_folder, execute)
        self._answers = answers

    def entry_rows(self, name: Name) -> Rows | None:
        question = entry_question(name)
        cached = self._answers.answer(question)
        if cached is not None:
            return cached
        rows = super().entry_rows(name)
        if rows is not None and is_of_a_view(rows):
            self._answers.note(question, rows)
        return rows


_IS_A_CATALOG: type[Catalog] = CachedCatalog
