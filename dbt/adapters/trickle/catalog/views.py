"""Views as models read them: by their text, where that gives the same rows as Spark."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dbt.adapters.trickle.catalog.view_settings import SettingsHere, disagreement
from dbt.adapters.trickle.storages.view_text import qualified, renamed
from trickle import Column, Name, Table, View
from trickle.reasons import reason

Rows = Sequence[tuple[object, ...]]
Ask = Callable[[str], Rows]
_BINARY = "UTF8_BINARY"


@dataclass(frozen=True)
class ViewFacts:
    """What the catalog stores of a view beside its columns."""

    text: str
    schema: str
    """Where names without a schema are looked up."""
    outputs: tuple[str, ...] = ()
    """The columns of its SELECT when it was created."""
    mode: str = "COMPENSATION"
    """How it follows tables whose columns change."""
    collation: str = _BINARY
    settings: Mapping[str, str] | None = None


def facts_of(described: str, own_schema: str) -> ViewFacts:
    """From DESCRIBE TABLE EXTENDED … AS JSON."""
    entry = json.loads(described)
    namespace = str(entry.get("view_catalog_and_namespace") or own_schema)
    return ViewFacts(
        text=str(entry["view_text"]),
        schema=namespace.split(".")[-1].strip("`"),
        outputs=tuple(entry.get("view_query_output_columns") or ()),
        mode=str(entry.get("view_schema_mode") or "BINDING"),
        collation=str(entry.get("collation") or _BINARY),
        settings=entry.get("view_creation_spark_configuration") or {},
    )


def read_view(
    name: Name,
    columns: tuple[Column, ...],
    facts: ViewFacts,
    here: SettingsHere,
    describe_query: Callable[[str], tuple[Column, ...]],
    is_user_function: Callable[[Name], bool],
) -> View | Table:
    """The view to be read through; else a table without versions that bears its name, and why."""
    why = disagreement(facts.settings or {}, here)
    if not why and facts.collation != _BINARY:
        why = f"its texts are compared by {facts.collation}"
    if why:
        return _by_name(name, columns, why)
    text = qualified(facts.text, facts.schema, is_user_function)
    now = describe_query(text)
    if facts.mode == "EVOLUTION":
        return View(name, now, text)
    written = tuple(column.name for column in now)
    outputs = facts.outputs or written
    chosen = _chosen(outputs, now)
    if chosen is None or len(chosen) != len(columns):
        return View(name, columns, text)
    if facts.mode == "TYPE EVOLUTION":
        columns = tuple(Column(own.name, column.type) for own, column in zip(columns, chosen))
    for own, column in zip(columns, chosen):
        if own.type != column.type:
            return _by_name(name, columns, f"it shows {own.name} as {own.type}, and its SELECT gives {column.type}")
    return View(name, columns, renamed(text, written, outputs, [own.name for own in columns]))


def _by_name(name: Name, columns: tuple[Column, ...], why: str) -> Table:
    because = reason("view_by_name", what=".".join(name), detail=why)
    return Table(name, columns, versioned=False, because=because)


def _chosen(outputs: Sequence[str], now: Sequence[Column]) -> tuple[Column, ...] | None:
    """The columns of the SELECT that the view shows; None where they cannot be told by their names."""
    by_name = {column.name.lower(): column for column in now}
    if len(by_name) != len(now):
        return tuple(now) if [column.name.lower() for column in now] == [column.lower() for column in outputs] else None
    return (
        tuple(by_name[column.lower()] for column in outputs)
        if all(column.lower() in by_name for column in outputs)
        else None
    )
