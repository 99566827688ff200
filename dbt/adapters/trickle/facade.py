"""The view users read: what it must look like, and whether it does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
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
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

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


def constraints_fingerprint(model: Mapping[str, Any]) -> str:
    """'' when the model promises nothing that storage must enforce."""
    if not (model["config"].get("contract") or {}).get("enforced"):
        return ""
    constraints: list[Any] = [_plain(model.get("constraints") or ())]
    constraints += [
        (name, _plain(column.get("constraints") or ()))
        for name, column in sorted(model["columns"].items())
        if column.get("constraints")
    ]
    if constraints == [[]]:
        return ""
    return hashlib.sha256(json.dumps(constraints, sort_keys=True).encode()).hexdigest()[:16]


def _promises(model: Mapping[str, Any]) -> str:
    if not (model["config"].get("contract") or {}).get("enforced"):
        return ""
    return json.dumps([(name, column.get("data_type")) for name, column in model["columns"].items()])


def _plain(constraints: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    return [{key: str(value) for key, value in constraint.items()} for constraint in constraints]
