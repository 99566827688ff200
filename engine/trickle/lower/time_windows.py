"""window(ts, '1 hour'[, slide[, start]]): the windows of time a row lies in, made of each row before it is grouped.

SELECT window.start, COUNT(*) FROM R GROUP BY window(ts, '1 hour') → γ(ε(R)), where ε makes the column `window`
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from trickle.errors import InvalidView
from trickle.lower.expressions import Binder
from trickle.lower.scope import Scope, Visible
from trickle.operators import Explode
from trickle.operators.explode import MADE, TIME_WINDOW
from trickle.plan.op import Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import UNKNOWN, Column
from trickle.plan.types import type_of
from trickle.sql.build import column
from trickle.sql.text import function_name, to_line

_CLAUSES = frozenset({"expressions", "group", "having", "qualify", "order"})
"""Where a call stands for the column made before the rows are grouped. In WHERE it would be another one."""


def stands_for_a_column(call: exp.Expr) -> bool:
    """Whether a call of window() is where its column can stand for it: not in WHERE, ON, or below ROLLUP and CUBE."""
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
    """The rows with their windows beside them, and the SELECT with a column where it calls window()."""
    calls = list(_calls(select))
    if not calls:
        return op, select, binder
    texts = {to_line(one): one for one in calls}
    if len(texts) > 1:
        message = "Spark makes windows of time for one window() in a SELECT, and here are several"
        raise InvalidView(message, binder.place(list(texts.values())[1]), "Make one of them in a derived table.")
    generator = binder.bind(calls[0])
    time = type_of(generator.expressions[0], {one.name: one.type for one in op.schema})
    kind = f"struct<start:{time},end:{time}>" if time.startswith("timestamp") else UNKNOWN
    made = Column(binder.session.names.fresh(f"{MADE}{TIME_WINDOW}"), kind)
    shown = Scope((Visible((), TIME_WINDOW, made.name, kind, starred=False),))
    placed = select.copy()
    for one in list(_calls(placed)):
        own = column(made.name)
        own.meta.update({"trickle_bound": True, **one.meta})
        alone = isinstance(one.parent, exp.Select)
        one.replace(exp.Alias(this=own, alias=exp.to_identifier(TIME_WINDOW)) if alone else own)
    return Explode(op, Scalar(generator), (made,), outer=False), placed, replace(binder, scope=binder.scope + shown)


def _calls(select: exp.Select) -> Iterator[exp.Expr]:
    """The calls of this SELECT, not of queries in it."""
    for name in sorted(_CLAUSES):
        part = select.args.get(name)
        for tree in part if isinstance(part, list) else [part]:
            if isinstance(tree, exp.Expr):
                nodes = tree.walk(prune=lambda node: isinstance(node, exp.Query))
                yield from (node for node in nodes if function_name(node) == TIME_WINDOW)
