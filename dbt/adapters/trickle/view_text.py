"""View definitions made readable outside the schema they were written in."""

from __future__ import annotations

from collections.abc import Sequence

from trickle.sql.parse import parse_select
from trickle.sql.references import references
from trickle.sql.text import splice


def qualified(definition: str, schema: str) -> str:
    """`SELECT … FROM t` → `SELECT … FROM schema.t` for every table named without one; the rest word for word."""
    edits = [
        (mention.position, f"{quoted(schema)}.{definition[mention.position.start : mention.position.end + 1]}")
        for mention in references(parse_select(definition), definition)
        if len(mention.name) == 1 and mention.position is not None
    ]
    return splice(definition, edits)


def renamed(definition: str, outputs: Sequence[str], columns: Sequence[str]) -> str:
    """`CREATE VIEW v (a, b) AS …` names its columns itself: read through a SELECT that does the same."""
    if tuple(outputs) == tuple(columns):
        return definition
    items = ", ".join(f"{quoted(output)} AS {quoted(column)}" for output, column in zip(outputs, columns))
    return f"SELECT {items} FROM (\n{definition}\n) AS definition"


def quoted(name: str) -> str:
    escaped = name.replace("`", "``")
    return f"`{escaped}`"
