"""The columns of tables from a JSON file: as Spark's column list, as pairs, or as objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from dbt.adapters.trickle.catalog.answers import Resolve
from dbt.adapters.trickle.cli.refusal import Refusal, at, read_text
from trickle import Column, Name, Relation, Table
from trickle.types import normal

Tables = Mapping[str, tuple[Column, ...]]
"""Table name, lower-cased, → its columns."""

_OPENING, _CLOSING = "<(", ">)"
_COLUMN = re.compile(r"(`(?:[^`]|``)+`|\w+)(?:\s*:\s*|\s+)(.+)", re.DOTALL)
_AFTER_TYPE = re.compile(r"\s+(NOT\s+NULL|NULL|COMMENT|DEFAULT|GENERATED)\b.*", re.IGNORECASE | re.DOTALL)


def read_schema(file: Path) -> Tables:
    """{table: columns} or [{"name": table, "columns": columns}]."""
    try:
        content = json.loads(read_text(file))
    except ValueError as error:
        raise at(file, f"not JSON: {error}") from error
    if isinstance(content, list):
        content = {_field(item, "name", file): _field(item, "columns", file) for item in content}
    if not isinstance(content, dict):
        raise at(file, "expected an object of table → columns")
    try:
        return {str(name).lower(): columns_of(columns) for name, columns in content.items()}
    except Refusal as refusal:
        raise at(file, str(refusal)) from refusal


def columns_of(columns: object) -> tuple[Column, ...]:
    """A column list as text ("a INT, b STRUCT<c: INT>"), a mapping, pairs, or objects with name and type."""
    match columns:
        case str():
            return tuple(_column(part) for part in split_columns(columns))
        case dict():
            return tuple(Column(str(name), normal(str(kind))) for name, kind in columns.items())
        case list():
            return tuple(_listed(item) for item in columns)
        case _:
            raise Refusal(f"expected a list of columns, found {columns!r}")


def split_columns(text: str) -> Iterator[str]:
    """Split at the commas that separate columns: not those inside <…>, (…), quotes or back-quotes."""
    depth, start, quote = 0, 0, ""
    for position, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "`'\"":
            quote = character
        elif character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif character == "," and depth == 0:
            yield text[start:position]
            start = position + 1
    if text[start:].strip():
        yield text[start:]


def resolver(tables: Tables, schema: str) -> Resolve:
    """A resolver of the file's tables. Tables without a schema are in `schema`, which a query may leave out."""

    def resolve(name: Name) -> Relation | None:
        for key in (".".join(name), ".".join(name[-2:]), name[-1]):
            if key in tables:
                return Table((schema, name[-1]) if key == name[-1] else tuple(key.split(".")), tables[key])
        return None

    return resolve


def _column(text: str) -> Column:
    match = _COLUMN.fullmatch(text.strip())
    if not match:
        raise Refusal(f"cannot read the column {text.strip()!r}; write it as: name TYPE")
    name = match[1][1:-1].replace("``", "`") if match[1].startswith("`") else match[1]
    return Column(name, normal(_AFTER_TYPE.sub("", match[2])))


def _listed(item: object) -> Column:
    match item:
        case str():
            return _column(item)
        case [str(name), str(kind)]:
            return Column(name, normal(kind))
        case {"name": str(name), "type": str(kind)}:
            return Column(name, normal(kind))
        case _:
            raise Refusal(f"cannot read the column {item!r}; write it as [name, type]")


def _field(item: object, name: str, file: Path) -> object:
    if not isinstance(item, dict) or name not in item:
        raise at(file, f"every table needs {name!r}; found {item!r}")
    return item[name]
