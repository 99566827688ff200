"""The view users read: what it must look like, and whether it does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dbt.adapters.trickle.view_text import quoted
from trickle import Schema, stored_name


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


@dataclass(frozen=True)
class Check:
    """A constraint that storage enforces."""

    name: str
    expression: str


def checks_of(model: Mapping[str, Any]) -> tuple[Check, ...]:
    """The CHECK and NOT NULL constraints of an enforced contract, on the model and on its columns."""
    if not (model["config"].get("contract") or {}).get("enforced"):
        return ()
    found = [_check(constraint, None) for constraint in model.get("constraints") or ()]
    for name, column in model["columns"].items():
        found += [_check(constraint, str(name)) for constraint in column.get("constraints") or ()]
    return tuple(check for check in found if check is not None)


def constraints_fingerprint(checks: Sequence[Check]) -> str:
    """'' when the model promises nothing that storage must enforce."""
    if not checks:
        return ""
    return fingerprint([(check.name, check.expression) for check in checks])


def _check(constraint: Mapping[str, Any], column: str | None) -> Check | None:
    kind = getattr(constraint["type"], "value", constraint["type"])
    columns = [column] if column is not None else list(constraint.get("columns") or ())
    match kind:
        case "check":
            expression = str(constraint["expression"])
            name = f"check_{fingerprint([expression, *columns])}"
        case "not_null":
            stored = [stored_name(name) for name in columns]
            expression = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in stored)
            name = f"not_null_{'_'.join(stored)}"
        case _:
            return None
    return Check(str(constraint.get("name") or name), expression)


def fingerprint(parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def _promises(model: Mapping[str, Any]) -> str:
    if not (model["config"].get("contract") or {}).get("enforced"):
        return ""
    return json.dumps([(name, column.get("data_type")) for name, column in model["columns"].items()])
