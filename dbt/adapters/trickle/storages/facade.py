"""The view users read: what it must look like, and whether it does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trickle import Schema


@dataclass(frozen=True)
class ViewColumn:
    """A column of the facade with its comment, '' when none is to be kept."""

    name: str
    comment: str


@dataclass(frozen=True)
class Facade:
    """Everything the view's DDL says. Its fingerprint tells whether it must be said again."""

    sql: str
    columns: tuple[ViewColumn, ...]
    comment: str
    types: tuple[str, ...]
    promises: str
    """The contract as configured: another contract must be checked again, though the view stays the same."""

    @property
    def fingerprint(self) -> str:
        parts = [
            self.sql,
            [(column.name, column.comment) for column in self.columns],
            self.comment,
            self.types,
            self.promises,
        ]
        return fingerprint(parts)

    @property
    def text(self) -> str:
        """What the view keeps of its own text, so that another text in its place is noticed."""
        return text_mark(self.sql)

    @property
    def has_column_comments(self) -> bool:
        return any(column.comment for column in self.columns)


def facade_of(sql: str, visible: Schema, model: Mapping[str, Any]) -> Facade:
    """The facade of a dbt model, its comments included where `persist_docs` asks for them."""
    persist = model["config"].get("persist_docs") or {}
    described = {str(name).lower(): str(column.get("description") or "") for name, column in model["columns"].items()}
    keep_columns = bool(persist.get("columns"))
    columns = tuple(
        ViewColumn(column.name, described.get(column.name.lower(), "") if keep_columns else "") for column in visible
    )
    comment = str(model.get("description") or "") if persist.get("relation") else ""
    return Facade(sql, columns, comment, tuple(column.type for column in visible), _promises(model))


def text_mark(sql: str) -> str:
    """A text's fingerprint, whatever its blanks and line ends."""
    return fingerprint(" ".join(sql.split()))


def fingerprint(parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def _promises(model: Mapping[str, Any]) -> str:
    if not (model["config"].get("contract") or {}).get("enforced"):
        return ""
    return json.dumps([(name, column.get("data_type")) for name, column in model["columns"].items()])
