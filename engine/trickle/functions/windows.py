"""Functions over windows, of GROUPING SETS and of windows of time."""

from __future__ import annotations

from trickle.functions.record import Function, Role, Rule, Ties, each
from trickle.types import Simple

WINDOWS = (
    *each("cume_dist", Function("0", result=Simple.DOUBLE, role=Role.WINDOW, ties=Ties.SHARED)),
    *each("dense_rank rank", Function("0+", result=Simple.INT, role=Role.WINDOW, ties=Ties.SHARED)),
    *each("grouping", Function("1", role=Role.GROUPING)),
    *each("grouping_id", Function("0+", role=Role.GROUPING)),
    *each(
        "lag lead",
        Function(
            "0-4",
            result=Rule.FIRST_OR_THIRD,
            role=Role.WINDOW,
            ties=Ties.BY_ROW,
            at_least=1,
            ignores_nulls=True,
            takes_frame=False,
            row_count=1,
        ),
    ),
    *each(
        "nth_value",
        Function("2-3", result=Rule.FIRST, role=Role.WINDOW, ties=Ties.NTH, ignores_nulls=True, row_count=1),
    ),
    *each("ntile", Function("0-1", result=Simple.INT, role=Role.WINDOW, ties=Ties.BY_ROW, row_count=0)),
    *each("percent_rank", Function("0+", result=Simple.DOUBLE, role=Role.WINDOW, ties=Ties.SHARED)),
    *each("row_number", Function("0", result=Simple.INT, role=Role.WINDOW, ties=Ties.BY_ROW)),
    *each("session_window window window_time", Function(role=Role.TIME_WINDOW)),
)
