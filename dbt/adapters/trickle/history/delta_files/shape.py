"""What a change of a table's definition means: to those who read some of its columns, and to Delta's change feed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dbt.adapters.trickle.history.delta_files.metadata import PHYSICAL_NAME, Metadata
from trickle.catalog.read_columns import ReadColumns

HARMLESS = ("comment", "delta.generationExpression", "delta.invariants", "CURRENT_DEFAULT", "delta.columnMapping.id")
"""Keys of a column's metadata that do not affect what is read of it. Identity columns count on at every insert."""
IDENTITY = "delta.identity."
NULLABILITY = ("nullable", "containsNull", "valueContainsNull")

Field = Mapping[str, Any]


def altered(read: ReadColumns, older: Metadata, newer: Metadata) -> str:
    """What a reader of these columns meets: 'dropped the column a'. '' where they are what they were.

    A dropped column counts even if it is not read now: a name of the query may have meant it before.
    """
    before, after = _fields(older), _fields(newer)
    for name, field in before.items():
        if name not in after:
            return f"dropped the column {name}"
        if read.reads(name) and _meaning(field) != _meaning(after[name]):
            return f"changed the column {name}"
    added = next((name for name in after if name not in before and read.reads(name)), None)
    if added is not None:
        return f"added the column {added}"
    order = [name for name in before if read.reads(name)]
    if read.by_position and order != [name for name in after if name in before and read.reads(name)]:
        return "changed the order of its columns"
    return ""


def keeps_rows(older: Metadata, newer: Metadata) -> bool:
    """Whether the rows are what they were, but for columns that were added."""
    return not altered(ReadColumns(frozenset(_fields(older))), older, newer)


def gained(older: Metadata, newer: Metadata) -> frozenset[str]:
    """The columns that were added, in lower case."""
    return frozenset(_fields(newer)) - frozenset(_fields(older))


def unreadable_feed(older: Metadata, latest: Metadata) -> str:
    """Why Delta's feed, which reads everything under the latest definition, misreads or refuses the older files."""
    if older.partition_columns != latest.partition_columns:
        return "partitioned it otherwise"
    if older.column_mapping != latest.column_mapping:
        return "mapped its columns otherwise"
    before, after = _fields(older), _fields(latest)
    for name, field in before.items():
        if name not in after:
            return f"dropped the column {name}"
        if not _holds(field, after[name]):
            return f"changed the column {name}"
    strict = next((name for name, field in after.items() if name not in before and not _nullable(field)), None)
    return "" if strict is None else f"added the column {strict} NOT NULL"


def _fields(definition: Metadata) -> dict[str, Field]:
    """By name in lower case, in table order."""
    return {str(field["name"]).lower(): field for field in json.loads(definition.schema_string)["fields"]}


def _nullable(field: Field) -> bool:
    return bool(field.get("nullable", True))


def _meaning(node: Any) -> Any:
    """A field or type without comments and nullability."""
    if not isinstance(node, Mapping):
        return node
    meaning = {key: _meaning(value) for key, value in node.items() if key not in (*NULLABILITY, "metadata", "fields")}
    if "fields" in node:
        meaning["fields"] = [_meaning(field) for field in node["fields"]]
    if "name" in node:
        meaning["metadata"] = _metadata(node)
    return meaning


def _metadata(field: Field) -> dict[str, Any]:
    metadata = field.get("metadata") or {}
    meaning = {key: metadata[key] for key in metadata if key not in HARMLESS and not key.startswith(IDENTITY)}
    return {PHYSICAL_NAME: field["name"], **meaning}


def _holds(older: Any, newer: Any) -> bool:
    """Whether values of an older field or type are values of a newer one: a struct may have gained fields."""
    if not isinstance(older, Mapping) or not isinstance(newer, Mapping):
        return bool(older == newer)
    if any(older.get(key, True) and not newer.get(key, True) for key in NULLABILITY):
        return False
    if older.get("type") == "struct":
        later = {str(field["name"]).lower(): field for field in newer.get("fields", ())}
        known = {str(field["name"]).lower(): field for field in older["fields"]}
        gained = [field for name, field in later.items() if name not in known]
        return all(name in later and _holds(field, later[name]) for name, field in known.items()) and all(
            map(_nullable, gained)
        )
    if "name" in older:
        return _metadata(older) == _metadata(newer) and _holds(older["type"], newer["type"])
    inner = ("type", "elementType", "keyType", "valueType", "sqlType")
    return all(_holds(older.get(key), newer.get(key)) for key in inner)
