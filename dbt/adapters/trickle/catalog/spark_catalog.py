"""The Catalog port by SQL: DESCRIBE, on whatever runs one metadata statement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.names import quoted
from dbt.adapters.trickle.ports import CatalogEntry, StatementFailed
from trickle import Column, Name
from trickle.types import Char, Varchar, parse_type

NO_ROUTINE = ("UNRESOLVED_ROUTINE", "ROUTINE_NOT_FOUND", "SCHEMA_NOT_FOUND", "REQUIRES_SINGLE_PART_NAMESPACE")
NOT_THERE = ("TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND", "PATH_NOT_FOUND", "DELTA_MISSING_DELTA_TABLE")
"""Spark's conditions where nothing bears a name."""

Row = Sequence[Any]
Execute = Callable[[str], Sequence[Row]]
"""Runs one metadata statement on this thread's connection."""


class SparkCatalog:
    """Spark's catalog, and the folder in which the warehouse puts tables."""

    def __init__(self, managed_folder: Callable[[str, str], Path], execute: Execute) -> None:
        self._managed_folder = managed_folder
        self._execute = execute

    def managed_folder(self, schema: str, name: str) -> Path:
        return self._managed_folder(schema, name)

    def entry(self, name: Name) -> CatalogEntry | None:
        rows = self.entry_rows(name)
        return None if rows is None else _entry(rows)

    def entry_rows(self, name: Name) -> Sequence[Row] | None:
        """A table or view, as the rows that describe it."""
        return self._unless(NOT_THERE, entry_question(name))

    def view_details(self, name: Name) -> str:
        ((details,),) = self._execute(f"{entry_question(name)} as json")
        return str(details)

    def function(self, name: Name) -> Sequence[Row] | None:
        return self._unless(NO_ROUTINE, f"describe function extended {_quoted(name)}")

    def columns_of(self, query: str) -> tuple[Column, ...]:
        return _entry(self._execute(f"describe query {query}")).columns

    def columns_of_files(self, path: Name) -> tuple[Column, ...] | None:
        rows = self._unless(NOT_THERE, f"describe query select * from {_quoted(path)}")
        return None if rows is None else _entry(rows).columns

    def _unless(self, conditions: tuple[str, ...], sql: str) -> Sequence[Row] | None:
        """The rows; None where the statement fails under one of these conditions."""
        try:
            return self._execute(sql)
        except StatementFailed as failed:
            if failed.failure.first(*conditions) is None:
                raise
            return None


def entry_question(name: Name) -> str:
    """The statement that describes a table or view."""
    return f"describe table extended {_quoted(name)}"


def _quoted(key: Name) -> str:
    return ".".join(quoted(part) for part in key)


def _entry(rows: Sequence[Row]) -> CatalogEntry:
    columns: list[Column] = []
    details: dict[str, str] = {}
    comments: dict[str, str] = {}
    in_columns = True
    for row in rows:
        name, value = str(row[0] or ""), str(row[1] or "")
        in_columns = in_columns and name != "" and not name.startswith("#")
        if in_columns:
            columns.append(Column(name, _answered_type(value)))
            if len(row) > 2 and row[2]:
                comments[name.lower()] = str(row[2])
        elif value:
            details.setdefault(name, value)
    return CatalogEntry(tuple(columns), details, comments)


def _answered_type(declared: str) -> str:
    """A SELECT answers CHAR and VARCHAR columns as strings."""
    return "string" if isinstance(parse_type(declared), (Char, Varchar)) else declared
