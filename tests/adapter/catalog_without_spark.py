"""The Catalog port from plain values: what a test puts in is what the catalog knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dbt.adapters.trickle.ports import CatalogEntry, Row
from trickle import Column, Name


@dataclass
class CatalogWithoutSpark:
    folder: Path
    entries: dict[Name, CatalogEntry] = field(default_factory=dict)
    views: dict[Name, str] = field(default_factory=dict)
    functions: dict[Name, Sequence[Row]] = field(default_factory=dict)
    queries: dict[str, tuple[Column, ...]] = field(default_factory=dict)
    files: dict[Name, tuple[Column, ...]] = field(default_factory=dict)
    asked: list[Name] = field(default_factory=list)
    """Every name whose entry was asked for, in order."""

    def managed_folder(self, schema: str, name: str) -> Path:
        return self.folder / schema / name

    def entry(self, name: Name) -> CatalogEntry | None:
        self.asked.append(name)
        return self.entries.get(name)

    def view_details(self, name: Name) -> str:
        return self.views[name]

    def function(self, name: Name) -> Sequence[Row] | None:
        return self.functions.get(name)

    def columns_of(self, query: str) -> tuple[Column, ...]:
        return self.queries[query]

    def columns_of_files(self, path: Name) -> tuple[Column, ...] | None:
        return self.files.get(path)
