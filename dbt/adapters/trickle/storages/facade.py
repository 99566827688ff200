"""The facade: the view that users read in front of the storage, as it must be created."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trickle import Schema
from trickle.apply.definitions import ViewColumn


@dataclass(frozen=True)
class Facade:
    """All parts of the view's DDL. If its fingerprint changed, the view is created again."""

    sql: str
    columns: tuple[ViewColumn, ...]
    comment: str
    types: tuple[str, ...]
    contract: str
    """The contract as configured: a changed contract is checked again, though the view stays the same."""

    @property
    def fingerprint(self) -> str:
        parts = [
            self.sql,
            [(column.name, column.comment) for column in self.columns],
            self.comment,
            self.types,
            self.contract,
        ]
        return fingerprint(parts)

    @property
    def text_fingerprint(self) -> str:
        """The fingerprint of the view's text, stored in the view, so that an altered text is noticed."""
        return text_fingerprint(self.sql)


def facade_of(sql: str, visible: Schema, model: Mapping[str, Any]) -> Facade:
    """The facade of a dbt model, with comments if `persist_docs` requests them."""
    persist = model["config"].get("persist_docs") or {}
    comments = {str(name).lower(): str(column.get("description") or "") for name, column in model["columns"].items()}
    keep_columns = bool(persist.get("columns"))
    columns = tuple(
        ViewColumn(column.name, comments.get(column.name.lower(), "") if keep_columns else "") for column in visible
    )
    comment = str(model.get("description") or "") if persist.get("relation") else ""
    return Facade(sql, columns, comment, tuple(column.type for column in visible), _contract(model))


def text_fingerprint(sql: str) -> str:
    """A fingerprint of the text that ignores white space."""
    return fingerprint(" ".join(sql.split()))


def fingerprint(parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def _contract(model: Mapping[str, Any]) -> str:
    if not (model["config"].get("contract") or {}).get("enforced"):
        return ""
    return json.dumps([(name, column.get("data_type")) for name, column in model["columns"].items()])
