"""with_named_windows: replaces OVER w by w's definition, before any other analysis of the query."""

from __future__ import annotations

from sqlglot import exp

from trickle.errors import InvalidView
from trickle.sql.parse import position_of

PARTS = ("partition_by", "order", "spec")


def with_named_windows(tree: exp.Query, text: str) -> exp.Query:
    """The query with every window definition at its use.

    The innermost SELECT comes first: nested SELECTs may each have a window w. A window that is not defined in a SELECT
    may be defined in an outer one, as in Spark. Window names are the only case-sensitive names in Spark.
    """
    copied = tree.copy()
    for select in reversed(list(copied.find_all(exp.Select))):
        _place_definitions(select, text)
    for window in copied.find_all(exp.Window):
        if window.alias:
            raise InvalidView(f"there is no window {window.alias}", position_of(window.args["alias"], text))
        if "partition_by" not in window.args:
            raise InvalidView("OVER is followed by no window", position_of(window, text), "Write OVER (…).")
    return copied


def _place_definitions(select: exp.Select, text: str) -> None:
    definitions = {window.name: window for window in select.args.get("windows") or []}
    select.set("windows", None)
    for window in list(select.find_all(exp.Window)):
        definition = definitions.get(window.alias)
        if definition is None:
            continue
        for spelling in (window, definition):
            if spelling.alias and any(spelling.args.get(part) for part in PARTS):
                message = f"Spark takes the window {spelling.alias} as it is, with nothing added"
                raise InvalidView(message, position_of(spelling.args["alias"], text), "Write the whole window out.")
        resolved = _named(definition, definitions)
        window.set("partition_by", [key.copy() for key in resolved.args.get("partition_by") or []])
        for part in ("order", "spec"):
            value = resolved.args.get(part)
            window.set(part, None if value is None else value.copy())
        window.set("alias", None)


def _named(definition: exp.Window, definitions: dict[str, exp.Window]) -> exp.Window:
    """WINDOW v AS (w) is another name of w."""
    return definitions.get(definition.alias, definition)
