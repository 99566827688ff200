"""Frames of windows that Spark refuses: bounds that are no number, or that come in the wrong order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Optional

from sqlglot import exp

from trickle.functions import Ties
from trickle.plan.ties import facts_of_window

Misuse = tuple[exp.Expr, str, str]


def misframed(node: exp.Window) -> Iterator[Misuse]:
    """Everything that is wrong with the ROWS or RANGE of one OVER."""
    frame = node.args.get("spec")
    if frame is None:
        return
    function = facts_of_window(node)
    if not function.takes_frame:
        yield node, f"{function.name}() looks at one row, and takes no frame", "Leave ROWS or RANGE out."
    first, last = _bound(frame, "start"), _bound(frame, "end")
    # Spark compares no bound with CURRENT ROW: such a frame has no rows, and is allowed.
    if first is not None and last is not None and first > last:
        yield node, "the frame ends before it begins", "Begin with the row that comes first."
    if _is_unbounded(frame, "start", "FOLLOWING") or _is_unbounded(frame, "end", "PRECEDING"):
        yield node, "the frame ends before it begins", "Begin with the row that comes first."
    offsets = [frame.args.get(side) for side in ("start", "end")]
    values = [offset for offset in offsets if isinstance(offset, exp.Expr)]
    if any(value.find(exp.Column) for value in values):
        yield node, "the bound of a frame is a constant, not a column", "Write a number."
    if str(frame.args.get("kind")).upper() == "ROWS":
        if any(_is_no_count(value) for value in values):
            yield node, "ROWS counts rows: its bounds are whole numbers", "Use RANGE for a distance of values."
    elif values:
        yield from _ranged(node, function.ties is Ties.SHARED)


def _ranged(node: exp.Window, ranks: bool) -> Iterator[Misuse]:
    order = node.args.get("order")
    count = len(order.expressions) if order is not None else 0
    if count > 1:
        yield node, "RANGE with a distance takes one ORDER BY", "Order by one value, or use ROWS."
    elif count == 0 and not ranks:
        yield node, "RANGE with a distance needs an ORDER BY", "Say by what value rows are near to each other."


def _bound(frame: exp.Expr, side: str) -> Optional[float]:
    """How far from the current row; None where it is not a whole number of rows."""
    value, direction = frame.args.get(side), str(frame.args.get(f"{side}_side") or "")
    if not isinstance(value, exp.Literal) or value.is_string or not str(value.this).isdigit():
        return None
    return float(str(value.this)) * (-1 if direction.upper() == "PRECEDING" else 1)


def _is_unbounded(frame: exp.Expr, side: str, direction: str) -> bool:
    value, own_direction = frame.args.get(side), str(frame.args.get(f"{side}_side") or "")
    return isinstance(value, str) and f"{value} {own_direction}".strip().upper() == f"UNBOUNDED {direction}"


def _is_no_count(value: exp.Expr) -> bool:
    number = isinstance(value, exp.Literal) and not value.is_string and not str(value.this).isdigit()
    return number or isinstance(value, exp.Interval)
