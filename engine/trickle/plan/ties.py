"""Rows that tie in a window's order: where an answer depends on which comes first, other columns decide.

Spark leaves the order of ties to chance. A stored answer must be the one computing again would give, so the window is
given a total order: the user's own, then every other column. Rows equal in all of them may change places unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Optional

from sqlglot import exp

from trickle.plan.comparable import comparable
from trickle.plan.frame_positions import descends, extreme, ignores_nulls, nth
from trickle.plan.functions import EXACT_AGGREGATES, FIRSTS, LASTS
from trickle.plan.make_deterministic import EXTREME, LISTING, QUANTILES, called, made_deterministic
from trickle.plan.schema import Column
from trickle.sql.build import column
from trickle.sql.text import function_name, to_line

RANKS = frozenset({"rank", "dense_rank", "percent_rank", "cume_dist"})
"""The same for all rows that tie, by definition."""
POSITIONS = frozenset({"row_number", "ntile", "lag", "lead"})
"""They count rows one by one, whatever the frame."""
Remedy = Callable[[exp.Window, Sequence[Column]], exp.Expr]


def window_function(window: exp.Window) -> exp.Expr:
    """The call itself, without FILTER or IGNORE NULLS around it."""
    return called(window.this)


def unbreakable(window: exp.Window) -> bool:
    """Whether the answer depends on ties in a way that another ORDER BY column would not settle but change."""
    return _remedy(window) is None


def depends_on_ties(tree: exp.Expr) -> bool:
    """Whether Spark, left alone, may answer differently for the same rows."""
    return any(_remedy(window) is not _as_it_is for window in tree.find_all(exp.Window))


def order_of_equals(window: exp.Window) -> Optional[str]:
    """The order in which rows that are equal in everything are told apart; None where all of them get one answer."""
    name = function_name(window_function(window))
    if name in RANKS or not (name in POSITIONS or frame_kind(window) == "ROWS"):
        return None
    order = window.args.get("order")
    return "" if order is None else to_line(order)


def without_ties(tree: exp.Expr, columns: Sequence[Column]) -> exp.Expr:
    """The expression with a total order in every window whose answer depends on one."""

    def settle(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Window):
            return node
        remedy = _remedy(node)
        return remedy(node, columns) if remedy is not None else node

    return tree.copy().transform(settle, copy=False)


def _remedy(window: exp.Window) -> Optional[Remedy]:
    """How the window is made independent of ties; None when it cannot be."""
    name = function_name(window_function(window))
    if name in RANKS:
        return _as_it_is
    if any(window.this.find_all(exp.WithinGroup)):
        return _settled if name in LISTING else _as_it_is
    if name in POSITIONS or frame_kind(window) == "ROWS":
        return _in_total_order
    if name in EXACT_AGGREGATES:
        return _as_it_is
    if _is_whole(window):
        return _whole_in_total_order
    keeps_nulls = not ignores_nulls(window)
    if name in FIRSTS and keeps_nulls and frame_side(window, "start") == "UNBOUNDED PRECEDING":
        return _in_total_order
    if name in LASTS and keeps_nulls and frame_side(window, "end") == "CURRENT ROW":
        return _last_of_peers
    if name in FIRSTS | LASTS and descends(window) is not None:
        return extreme
    if name == "nth_value" and frame_side(window, "start") == "UNBOUNDED PRECEDING":
        return _nth_in_total_order
    return _settled if name in EXTREME | QUANTILES | {"mode"} else None


def _as_it_is(window: exp.Window, _: Sequence[Column]) -> exp.Window:
    return window


def _settled(window: exp.Window, _: Sequence[Column]) -> exp.Window:
    """As it is settled in a grouping: WITHIN GROUP (ORDER BY …) stands where an ORDER BY of the window may not."""
    copied = window.copy()
    copied.set("this", made_deterministic(window.this).copy())
    return copied


def _in_total_order(window: exp.Window, columns: Sequence[Column]) -> exp.Window:
    order = window.args.get("order")
    ordered = [] if order is None else list(order.expressions)
    present = [*(item.this for item in ordered), *(window.args.get("partition_by") or [])]
    made_deterministic = {tree.name for tree in present if isinstance(tree, exp.Column)}
    added = [_ordered(one) for one in columns if one.name not in made_deterministic]
    # Where the partition settles everything, all its rows are equal; an order must still be there.
    items = [item.copy() for item in [*ordered, *added]] or [_ordered(columns[0])]
    copied = window.copy()
    copied.set("order", exp.Order(expressions=items))
    return copied


def _ordered(one: Column) -> exp.Ordered:
    return exp.Ordered(this=comparable(column(one.name), one.type), nulls_first=True)


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
