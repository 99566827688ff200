"""window(ts, '1 hour'[, slide[, start]]): the time windows of each row, generated before grouping.

SELECT window.start, COUNT(*) FROM R GROUP BY window(ts, '1 hour') → γ(ε(R)), where ε makes the column `window`

The windows are computed as in Spark, but without its window(), for which analysis fails where a plan reads the same
change twice ("resolved attribute missing").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Optional

from sqlglot import exp

from trickle.errors import InvalidView, Unsupported
from trickle.lower.names.scope import Scope, Visible
from trickle.lower.select.expressions import Binder
from trickle.lower.windows.session_windows import KIND, SESSION_WINDOW, TIMES_OF_WINDOWS, with_sessions
from trickle.operators import Explode
from trickle.operators.explode import GENERATED_PREFIX
from trickle.plan.expression_types import expression_type
from trickle.plan.op import Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import Column
from trickle.reasons import reason
from trickle.sql.build import call, cast, column, identifier, integer, operand, string
from trickle.sql.text import function_name, to_line
from trickle.types import UNKNOWN, Simple

TIME_WINDOWS = ("window", SESSION_WINDOW)
_SECOND = 1_000_000
_UNITS = {
    "week": 7 * 86_400 * _SECOND,
    "day": 86_400 * _SECOND,
    "hour": 3_600 * _SECOND,
    "minute": 60 * _SECOND,
    "second": _SECOND,
    "millisecond": 1_000,
    "microsecond": 1,
}
_PART = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s+([a-z]+?)s?(?=\s|$)")
_CLAUSES = frozenset({"expressions", "group", "having", "qualify", "order"})
"""Clauses in which a call is the column generated before grouping. In WHERE it would be another one."""


def can_be_column(call: exp.Expr) -> bool:
    """Whether a column can replace a call of window(): not in WHERE, ON, or below ROLLUP and CUBE."""
    node = call
    while node.parent is not None and not isinstance(node.parent, exp.Select):
        node = node.parent
        if isinstance(node, (exp.Rollup, exp.Cube, exp.GroupingSets, exp.Lateral)):
            return False
    select = node.parent
    group = select.args.get("group") if isinstance(select, exp.Select) else None
    several = group is not None and any(group.args.get(name) for name in ("rollup", "cube", "grouping_sets"))
    return isinstance(select, exp.Select) and node.arg_key in _CLAUSES and not several


def with_time_window(op: Op, select: exp.Select, binder: Binder) -> tuple[Op, exp.Select, Binder]:
    """The rows with their windows, and the SELECT with the window column instead of window() calls."""
    calls = list(_calls(select))
    if not calls:
        return op, select, binder
    texts = {to_line(window_call): window_call for window_call in calls}
    if len(texts) > 1:
        message = "Spark makes windows of time for one window() in a SELECT, and here are several"
        raise InvalidView(message, binder.position(list(texts.values())[1]), "Make one of them in a derived table.")
    name = function_name(calls[0])
    made = Column(binder.session.names.fresh(f"{GENERATED_PREFIX}{name}"), KIND)
    shown = Scope((Visible((), name, made.name, KIND, starred=False),))
    if name == SESSION_WINDOW:
        op = with_sessions(op, select, binder, calls[0], made.name)
    else:
        op = Explode(op, Scalar(_generator(binder.bind(calls[0]), op, binder, calls[0])), (made,), outer=False)
    placed = select.copy()
    for window_call in list(_calls(placed)):
        own = column(made.name)
        own.meta.update({"trickle_bound": True, **window_call.meta})
        alone = isinstance(window_call.parent, exp.Select)
        window_call.replace(exp.Alias(this=own, alias=exp.to_identifier(name)) if alone else own)
    return op, placed, replace(binder, scope=binder.scope + shown)


def _calls(select: exp.Select) -> Iterator[exp.Expr]:
    """The calls of this SELECT, without those of nested queries."""
    for name in sorted(_CLAUSES):
        part = select.args.get(name)
        for tree in part if isinstance(part, list) else [part]:
            if isinstance(tree, exp.Expr):
                nodes = tree.walk(prune=lambda node: isinstance(node, exp.Query))
                yield from (node for node in nodes if function_name(node) in TIME_WINDOWS)


def _generator(bound: exp.Expr, op: Op, binder: Binder, written: exp.Expr) -> exp.Expr:
    """EXPLODE of the windows (start, end) with start ≤ time < end; no rows where the time is NULL."""
    types = {span.name: span.type for span in op.schema}
    kind = expression_type(bound.expressions[0], types) if bound.expressions else UNKNOWN
    spans = [_micros(span) for span in bound.expressions[1:]]
    known = [span for span in spans if span is not None]
    if kind not in TIMES_OF_WINDOWS or not known or len(known) < len(spans) or len(known) > 3:
        raise Unsupported([reason("row_generator", binder.position(written), what=f"{to_line(written)[:80]}")])
    width, slide, first = known[0], known[1] if known[1:] else known[0], known[2] if known[2:] else 0
    if not (0 < slide <= width and abs(first) < slide):
        message = "a window of time needs a slide above zero and not above its length, and a start within the slide"
        raise InvalidView(message, binder.position(written))
    time = bound.expressions[0] if kind is Simple.TIMESTAMP else cast(bound.expressions[0], "timestamp")
    moment = call("UNIX_MICROS", time)
    after = call("PMOD", exp.Sub(this=moment.copy(), expression=operand(integer(first))), integer(slide))
    newest = exp.Sub(this=moment, expression=after)
    back = exp.Mul(this=identifier("back"), expression=cast(integer(slide), "bigint"))
    start = exp.Sub(this=exp.Paren(this=newest), expression=back)
    end = exp.Add(this=exp.Paren(this=start.copy()), expression=integer(width))
    pair = call(
        "NAMED_STRUCT", string("start"), call("TIMESTAMP_MICROS", start), string("end"), call("TIMESTAMP_MICROS", end)
    )
    steps = call("SEQUENCE", integer(0), integer(-(-width // slide) - 1))
    every = call("TRANSFORM", steps, exp.Lambda(this=pair, expressions=[identifier("back")]))
    holds = exp.GT(this=exp.Dot(this=identifier("made"), expression=identifier("end")), expression=operand(time.copy()))
    return call("EXPLODE", call("FILTER", every, exp.Lambda(this=holds, expressions=[identifier("made")])))


def _micros(tree: exp.Expr) -> Optional[int]:
    """The microseconds of '1 hour 30 minutes' or of a whole number; None for texts that only Spark can read."""
    if not isinstance(tree, exp.Literal):
        return None
    text = str(tree.this).strip().lower()
    if not tree.is_string:
        return int(text) if text.isdigit() else None
    text = text.removeprefix("interval").strip()
    total, offset = Decimal(0), 0
    for match in _PART.finditer(text):
        if match.start() != offset or match[2] not in _UNITS:
            return None
        total += Decimal(match[1]) * _UNITS[match[2]]
        offset = match.end()
    return int(total) if offset == len(text) and text and total == int(total) else None
