"""View definitions made readable outside the schema they were written in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trickle import Name, user_calls
from trickle.sql.parse import parse_select
from trickle.sql.references import references
from trickle.sql.text import splice


def qualified(definition: str, schema: str, is_user_function: Callable[[Name], bool]) -> str:
    """`SELECT f(a) FROM t` → `SELECT schema.f(a) FROM schema.t` for every table, and every function of a user's, that
    is named without one; the rest word for word."""
    tables = (one for one in references(parse_select(definition), definition) if len(one.name) == 1)
    places = [one.position for one in tables if one.position is not None]
    places += [place for name, place in user_calls(definition) if is_user_function((schema.lower(), name))]
    edits = [(place, f"{quoted(schema)}.{definition[place.start : place.end + 1]}") for place in places]
    return splice(definition, edits)


def renamed(definition: str, written: Sequence[str], outputs: Sequence[str], columns: Sequence[str]) -> str:
    """`CREATE VIEW v (a, b) AS …` names its columns itself: read through a SELECT that does the same.

    So is a view whose SELECT shows more columns by now than it did when the view was created.
    """
    if tuple(written) == tuple(outputs) == tuple(columns):
        return definition
    items = ", ".join(f"{quoted(output)} AS {quoted(column)}" for output, column in zip(outputs, columns))
    return f"SELECT {items} FROM (\n{definition}\n) AS definition"


def quoted(name: str) -> str:
    escaped = name.replace("`", "``")
    return f"`{escaped}`"
