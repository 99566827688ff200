"""Columns that are qualified by schema and table: schema.table.column."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from trickle.errors import Position
from trickle.sql.parse import position_of
from trickle.sql.references import Name


@dataclass(frozen=True)
class Qualifier:
    """The text before a table's own name; `position` ends where that name begins."""

    table: Name
    """Schema and table, lower-cased."""
    position: Position


def qualifiers(tree: exp.Query, text: str) -> tuple[Qualifier, ...]:
    """Every possible (schema, table) prefix of a column; the caller knows which tables exist.

    Fields may follow the column's name, and a catalog may precede the schema.
    """
    prefixes: list[Qualifier] = []
    for column in tree.find_all(exp.Column):
        parts = column.parts
        for schema in range(len(parts) - 2):
            first, own = position_of(parts[0], text), position_of(parts[schema + 1], text)
            if first is not None and own is not None:
                name = (parts[schema].name.lower(), parts[schema + 1].name.lower())
                prefixes.append(Qualifier(name, Position(first.line, first.column, first.start, own.start - 1)))
    return tuple(prefixes)
