"""The first, the last or the n-th row of a frame that ends between values.

More columns in the ORDER BY would decide ties, and also change where such a frame ends. So the frame stays, and the
row is found by comparing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from sqlglot import exp

from trickle.functions import Ties, facts_of
from trickle.plan.comparable import comparable
from trickle.plan.make_deterministic import arguments, called
from trickle.plan.schema import Column
from trickle.sql.build import call, case, column, integer, not_null
from trickle.sql.text import function_name


def extreme(window: exp.Window, rest: Sequence[Column]) -> exp.Expr:
    """FIRST_VALUE and LAST_VALUE as MIN_BY or MAX_BY the order, and `rest` decides among rows that tie in it."""
    inner = called(window.this)
    value = _value(inner)
    items = window.args["order"].expressions
    present = {item.this.name for item in items if isinstance(item.this, exp.Column)}
    others = [comparable(column(own.name), own.parsed_type) for own in rest if own.name not in present]
    key: exp.Expr = call("STRUCT", *(part for item in items for part in _comparing(item)), *others)
    if ignores_nulls(window):
        key = case(not_null(value.copy()), key, exp.Null())
    least = (facts_of(function_name(inner)).ties is Ties.LEAST) != descends(window)
    return _over(window, call("MIN_BY" if least else "MAX_BY", value.copy(), key))


def nth(window: exp.Window, whole: exp.Window) -> exp.Expr:
    """NTH_VALUE where the frame is that long: its first rows are those of the `whole` partition in a total order."""
    inner = called(window.this)
    position = arguments(inner)[1].copy() if len(arguments(inner)) > 1 else integer(1)
    counted = _value(inner).copy() if ignores_nulls(window) else exp.Star()
    reached = exp.GTE(this=_over(window, exp.Count(this=counted)), expression=position)
    return case(reached, whole, exp.Null())


def descends(window: exp.Window) -> Optional[bool]:
    """Whether the order falls; None where one column rises and another falls, and where there is no order."""
    order = window.args.get("order")
    directions = {bool(item.args.get("desc")) for item in order.expressions} if order is not None else set()
    return directions.pop() if len(directions) == 1 else None


def ignores_nulls(window: exp.Window) -> bool:
    """LAST_VALUE(x) IGNORE NULLS, LAST_VALUE(x IGNORE NULLS), LAST_VALUE(x, TRUE)."""
    if window.this.find(exp.IgnoreNulls) is not None:
        return True
    inner = called(window.this)
    given = arguments(inner)
    of_one_end = facts_of(function_name(inner)).ties in (Ties.LEAST, Ties.GREATEST)
    return of_one_end and len(given) > 1 and not _is_false(given[1])


def _is_false(tree: exp.Expr) -> bool:
    return isinstance(tree, exp.Boolean) and not tree.this


def _value(inner: exp.Expr) -> exp.Expr:
    value = arguments(inner)[0]
    return value.this if isinstance(value, (exp.IgnoreNulls, exp.RespectNulls)) else value


def _comparing(item: exp.Expr) -> tuple[exp.Expr, ...]:
    """A column of the order; a struct puts NULL before everything, so where it comes last a field before it is set."""
    last = bool(item.args.get("nulls_first")) == bool(item.args.get("desc"))
    missing = exp.Is(this=item.this.copy(), expression=exp.Null())
    return (missing, item.this.copy()) if last else (item.this.copy(),)


def _over(window: exp.Window, function: exp.Expr) -> exp.Window:
    copied = window.copy()
    copied.set("this", function)
    return copied
