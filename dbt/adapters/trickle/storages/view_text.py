"""View definitions rewritten so that they can be read from any schema."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dbt.adapters.trickle.names import quoted
from trickle import Name
from trickle.lower.sources.routines import user_calls
from trickle.sql.parse import parse_select
from trickle.sql.references import references
from trickle.sql.text import splice


def qualified(definition: str, schema: str, is_user_function: Callable[[Name], bool]) -> str:
    """`SELECT f(a) FROM t` → `SELECT schema.f(a) FROM schema.t` for every table and every user function that is named
    without a schema; the rest of the text is unchanged."""
    tables = (reference for reference in references(parse_select(definition), definition) if len(reference.name) == 1)
    positions = [reference.position for reference in tables if reference.position is not None]
    positions += [position for name, position in user_calls(definition) if is_user_function((schema.lower(), name))]
    edits = [(position, f"{quoted(schema)}.{definition[position.start : position.end + 1]}") for position in positions]
    return splice(definition, edits)


def renamed(definition: str, written: Sequence[str], outputs: Sequence[str], columns: Sequence[str]) -> str:
    """The definition of a view whose columns have names of their own (`CREATE VIEW v (a, b) AS …`), in a SELECT that
    renames them. A view whose SELECT has gained columns since it was created is wrapped the same way.
    """
    if tuple(written) == tuple(outputs) == tuple(columns):
        return definition
    items = ", ".join(f"{quoted(output)} AS {quoted(column)}" for output, column in zip(outputs, columns))
    return f"SELECT {items} FROM (\n{definition}\n) AS definition"
