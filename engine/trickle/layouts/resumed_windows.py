"""Resumed windows: a window over an ordered table, computed from some position of its order on instead of the start.

A call reads a number of rows back and ahead (LAG, LEAD, bounded ROWS frames), or it continues over all rows before
(positions, ranks, running aggregates): of those it needs a few values, computed without putting them in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintain import maintain
from trickle.aggregates.maintained import Maintained
from trickle.functions import Ties
from trickle.plan.frame_positions import ignores_nulls
from trickle.plan.scalar import Named, Scalar
from trickle.plan.ties import facts_of_window, frame_kind, frame_side, window_function
from trickle.sql.build import call, case, cast, column, integer
from trickle.sql.text import function_name

FROM_START = "UNBOUNDED PRECEDING"
HERE = "CURRENT ROW"


@dataclass(frozen=True)
class Resumed:
    """A call over the rows from some position on. Rows nearer to that position than it reads back get no value."""

    value: exp.Expr
    """Over the rows from that position on, and the columns of `earlier`."""
    earlier: tuple[Named, ...] = ()
    """Aggregates over the rows before that position."""
    back: int = 0
    ahead: int = 0
    carried: bool = False
    """Whether `earlier` reads the call's own values for the rows before: they must be stored."""

    @property
    def goes_on(self) -> bool:
        """Whether a row's value depends on all rows before it, not only on its neighbours."""
        return bool(self.earlier)


def resumed(call: Named, types: Mapping[str, str], own: str, prefix: str) -> Optional[Resumed]:
    """How a call can be resumed; None where it must be computed from the first row on.

    `own` is the column its values are stored in, `prefix` begins the names of the aggregates over the rows before.
    """
    window = call.value.tree
    if not isinstance(window, exp.Window) or not window.args.get("order"):
        return None
    name = function_name(window_function(window))
    match name:
        case "row_number" | "rank":
            return _counted(window, f"{prefix}rows")
        case "dense_rank":
            return _distinct_counted(window, own, f"{prefix}rank")
        case "lag" | "lead":
            return _neighbour(window, backwards=name == "lag")
    low, high = _offset(window, "start"), _offset(window, "end")
    if frame_kind(window) == "ROWS":
        if low is not None and high is not None:
            return Resumed(window.copy(), back=max(0, -low), ahead=max(0, high))
        if frame_side(window, "start") != FROM_START or high is None:
            return None
    elif frame_side(window, "end") != HERE:
        return None
    elif frame_side(window, "start") == HERE:
        # The rows that tie, and no others.
        return Resumed(window.copy())
    elif frame_side(window, "start") != FROM_START:
        return None
    return _running(window, high or 0, types, own, prefix)


def _running(window: exp.Window, high: int, types: Mapping[str, str], own: str, prefix: str) -> Optional[Resumed]:
    """A frame from the first row to `high` rows after this one (or, without ROWS, to the last that ties)."""
    back, ahead = max(0, -high), max(0, high)
    ties = facts_of_window(window).ties
    if ties is Ties.GREATEST and not ignores_nulls(window):
        return Resumed(window.copy(), back=back, ahead=ahead)
    if ties is Ties.LEAST and high >= 0 and not ignores_nulls(window):
        return _same_as_before(window, own, prefix, ahead)
    # Fractions are added up in the order of rows: only from the start does that give the same last digits.
    states = maintain(window.this, types)
    return None if states is None else _added_up(window, states, prefix, back, ahead)


def _added_up(window: exp.Window, states: Maintained, prefix: str, back: int, ahead: int) -> Resumed:
    """The states of the rows before, combined with those of the rows here."""
    earlier, totals = [], []
    for state in states.states:
        name = f"{prefix}{state.suffix}"
        earlier.append(Named(name, Scalar(state.initial.copy())))
        totals.append(state.combine.of(column(name), _over(window, state.initial)))
    return Resumed(states.finish(tuple(totals)), tuple(earlier), back, ahead)


def _over(window: exp.Window, initial: exp.Expr) -> exp.Expr:
    """The aggregates of a state over the window's own frame."""

    def over(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.AggFunc):
            return node
        copied = window.copy()
        copied.set("this", node.copy())
        return copied

    return initial.copy().transform(over, copy=False)


def _counted(window: exp.Window, name: str) -> Resumed:
    rows = Named(name, Scalar(cast(exp.Count(this=exp.Star()), "int")))
    return Resumed(exp.Add(this=window.copy(), expression=column(name)), (rows,))


def _distinct_counted(window: exp.Window, own: str, name: str) -> Resumed:
    """The rank goes on from the last one given."""
    highest = exp.Coalesce(this=exp.Max(this=column(own)), expressions=[integer(0)])
    return Resumed(
        exp.Add(this=window.copy(), expression=column(name)), (Named(name, Scalar(highest)),), 0, 0, carried=True
    )


def _same_as_before(window: exp.Window, own: str, prefix: str, ahead: int) -> Resumed:
    """Every row has the value of the first one: where there are rows before, the value they have."""
    rows, first = f"{prefix}rows", f"{prefix}first"
    earlier = (
        Named(rows, Scalar(exp.Count(this=exp.Star()))),
        Named(first, Scalar(call("FIRST", column(own)))),
    )
    some = exp.GT(this=column(rows), expression=integer(0))
    return Resumed(case(some, column(first), window.copy()), earlier, 0, ahead, carried=True)


def _neighbour(window: exp.Window, backwards: bool) -> Optional[Resumed]:
    """LAG and LEAD by a number of rows. With IGNORE NULLS, how far the neighbour is depends on the data."""
    if ignores_nulls(window):
        return None
    given = window_function(window).expressions
    steps = 1 if len(given) < 2 else _whole(str(given[1]))
    if steps is None:
        return None
    offset = -steps if backwards else steps
    return Resumed(window.copy(), back=max(0, -offset), ahead=max(0, offset))


def _offset(window: exp.Window, side: str) -> Optional[int]:
    """One end of a frame as a number of rows from the row; None for all rows, and where it is no literal."""
    words = (frame_side(window, side) or "").split()
    if words == HERE.split():
        return 0
    steps = _whole(words[0]) if len(words) == 2 else None
    return None if steps is None else -steps if words[1] == "PRECEDING" else steps


def _whole(text: str) -> Optional[int]:
    return int(text) if text.lstrip("-").isdigit() else None
