"""Rows that tie in a window's order: where an answer depends on which comes first, other columns decide.

Spark leaves the order of ties to chance. A stored answer must be the one that computing again would give, so the window
gets a total order: the user's own, then every other column. Rows equal in all of them may be swapped: nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Optional

from sqlglot import exp
from typing_extensions import assert_never

from trickle.functions import Function, Ties, facts_of
from trickle.plan.comparable import comparable
from trickle.plan.frame_positions import descends, extreme, ignores_nulls, nth
from trickle.plan.make_deterministic import called, made_deterministic
from trickle.plan.schema import Column
from trickle.sql.build import column
from trickle.sql.text import function_name, to_line

Remedy = Callable[[exp.Window, Sequence[Column]], exp.Expr]


def window_function(window: exp.Window) -> exp.Expr:
    """The call itself, without FILTER or IGNORE NULLS around it."""
    return called(window.this)


def facts_of_window(window: exp.Window) -> Function:
    """The facts about the function that is called over the window."""
    return facts_of(function_name(window_function(window)))


def unbreakable(window: exp.Window) -> bool:
    """Whether the answer depends on ties in a way that another ORDER BY column would not decide but change."""
    return _remedy(window) is None


def depends_on_ties(tree: exp.Expr) -> bool:
    """Whether Spark, left alone, may answer differently for the same rows."""
    return any(_remedy(window) is not _as_it_is for window in tree.find_all(exp.Window))


def order_of_equals(window: exp.Window) -> Optional[str]:
    """The order in which rows that are equal in everything get different answers; None where all get the same one."""
    ties = facts_of_window(window).ties
    if ties is Ties.SHARED or not (ties is Ties.BY_ROW or frame_kind(window) == "ROWS"):
        return None
    order = window.args.get("order")
    return "" if order is None else to_line(order)


def without_ties(tree: exp.Expr, columns: Sequence[Column]) -> exp.Expr:
    """The expression with a total order in every window whose answer depends on one."""

    def decided(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Window):
            return node
        remedy = _remedy(node)
        return remedy(node, columns) if remedy is not None else node

    return tree.copy().transform(decided, copy=False)


def _remedy(window: exp.Window) -> Optional[Remedy]:
    """How the window is made independent of ties; None when it cannot be."""
    function = facts_of_window(window)
    if function.ties is Ties.SHARED:
        return _as_it_is
    if any(window.this.find_all(exp.WithinGroup)):
        return _as_in_a_group if function.ties is Ties.LISTED else _as_it_is
    if function.ties is Ties.BY_ROW or frame_kind(window) == "ROWS":
        return _in_total_order
    if function.is_exact:
        return _as_it_is
    return _whole_in_total_order if _is_whole(window) else _remedy_by_ties(window, function.ties)


def _remedy_by_ties(window: exp.Window, ties: Optional[Ties]) -> Optional[Remedy]:
    """The same where the frame ends between values, not between rows."""
    from_start = frame_side(window, "start") == "UNBOUNDED PRECEDING"
    match ties:
        case Ties.LEAST if from_start and not ignores_nulls(window):
            return _in_total_order
        case Ties.GREATEST if frame_side(window, "end") == "CURRENT ROW" and not ignores_nulls(window):
            return _last_of_peers
        case Ties.LEAST | Ties.GREATEST:
            return extreme if descends(window) is not None else None
        case Ties.NTH:
            return _nth_in_total_order if from_start else None
        case Ties.PAIRED | Ties.FINER | Ties.LEAST_MODE:
            return _as_in_a_group
        case None | Ties.SORTED | Ties.LISTED | Ties.SHARED | Ties.BY_ROW:
            return None
        case _:
            assert_never(ties)


def _as_it_is(window: exp.Window, _: Sequence[Column]) -> exp.Window:
    return window


def _as_in_a_group(window: exp.Window, _: Sequence[Column]) -> exp.Window:
    """Made deterministic as in a grouping: WITHIN GROUP (ORDER BY …) may follow where the window has no ORDER BY."""
    copied = window.copy()
    copied.set("this", made_deterministic(window.this).copy())
    return copied


def _in_total_order(window: exp.Window, columns: Sequence[Column]) -> exp.Window:
    order = window.args.get("order")
    ordered = [] if order is None else list(order.expressions)
    present = [*(item.this for item in ordered), *(window.args.get("partition_by") or [])]
    decided = {tree.name for tree in present if isinstance(tree, exp.Column)}
    added = [_ordered(own) for own in columns if own.name not in decided]
    # Where the partition decides everything, all its rows are equal; an order must still be given.
    items = [item.copy() for item in [*ordered, *added]] or [_ordered(columns[0])]
    copied = window.copy()
    copied.set("order", exp.Order(expressions=items))
    return copied


def _ordered(own: Column) -> exp.Ordered:
    return exp.Ordered(this=comparable(column(own.name), own.parsed_type), nulls_first=True)


def _whole_in_total_order(window: exp.Window, columns: Sequence[Column]) -> exp.Window:
    copied = _in_total_order(window, columns)
    copied.set("spec", _whole_frame())
    return copied


def _nth_in_total_order(window: exp.Window, columns: Sequence[Column]) -> exp.Expr:
    return nth(window, _whole_in_total_order(window, columns))


def _last_of_peers(window: exp.Window, columns: Sequence[Column]) -> exp.Window:
    """The last row of a frame that ends with the row's peers is the last of the peers."""
    copied = window.copy()
    order = window.args.get("order")
    peers = [] if order is None else [item.this.copy() for item in order.expressions]
    copied.set("partition_by", [*(copied.args.get("partition_by") or []), *peers])
    copied.set("order", None)
    return _whole_in_total_order(copied, columns)


def _whole_frame() -> exp.WindowSpec:
    return exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="UNBOUNDED", end_side="FOLLOWING")


def frame_kind(window: exp.Window) -> str:
    """ROWS or RANGE as written; empty without a frame."""
    spec = window.args.get("spec")
    return "" if spec is None else str(spec.args.get("kind") or "").upper()


def _is_whole(window: exp.Window) -> bool:
    if window.args.get("spec") is None:
        return window.args.get("order") is None
    return frame_side(window, "start") == "UNBOUNDED PRECEDING" and frame_side(window, "end") == "UNBOUNDED FOLLOWING"


def frame_side(window: exp.Window, side: str) -> Optional[str]:
    """One end of the frame in words; SQL's default frame ends with the row's peers."""
    spec = window.args.get("spec")
    if spec is None:
        return "UNBOUNDED PRECEDING" if side == "start" else "CURRENT ROW"
    words = (spec.args.get(side), spec.args.get(f"{side}_side"))
    text = " ".join(str(word).upper() for word in words if word)
    return text or ("CURRENT ROW" if side == "end" else None)
