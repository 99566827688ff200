"""window(ts, …) for DuckDB, which has no such function: a lateral join with the windows of each row."""

from __future__ import annotations

from sqlglot import exp

from trickle.sql.build import call, column, string, subquery
from trickle.sql.text import function_name

_WINDOWS = "made_windows"
_WINDOW = "window"


def make_time_windows(select: exp.Select) -> None:
    """SELECT window(ts, w), … FROM R → SELECT made.window, … FROM R, LATERAL (SELECT UNNEST(time_windows(ts, …)))"""
    calls = [node for node in select.find_all(exp.Anonymous) if _belongs(node, select)]
    if not calls:
        return
    time, width, *more = (part.copy() for part in calls[0].expressions)
    slide = more[0] if more else width.copy()
    first = more[1] if len(more) > 1 else string("0 seconds")
    windows = exp.Select(
        expressions=[
            exp.Alias(
                this=call("UNNEST", call("TIME_WINDOWS", time, width, slide, first)),
                alias=exp.to_identifier(_WINDOW, quoted=True),
            )
        ]
    )
    select.append("joins", exp.Join(this=exp.Lateral(this=subquery(windows, _WINDOWS).this.subquery(_WINDOWS))))
    for window_call in calls:
        window_column = column(_WINDOW, _WINDOWS)
        is_item = isinstance(window_call.parent, exp.Select)
        window_call.replace(
            exp.Alias(this=window_column, alias=exp.to_identifier(_WINDOW, quoted=True)) if is_item else window_column
        )
    for name in select.find_all(exp.Identifier):
        if name.name.lower() == _WINDOW:
            name.set("quoted", True)


def _belongs(node: exp.Anonymous, select: exp.Select) -> bool:
    return function_name(node) == _WINDOW and node.find_ancestor(exp.Select) is select
