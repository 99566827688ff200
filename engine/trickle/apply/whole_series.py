"""whole_series: the rows of an order and what windows answer for them, computed from the first row to the last."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from trickle.apply.target import Target, insert_overwrite, unless
from trickle.layouts.series import TWIN, Series
from trickle.operators import Consolidate
from trickle.plan.op import Op
from trickle.plan.schema import WEIGHT
from trickle.plan.ties import without_ties
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.build import alias, cast, column, integer, subquery, union_all

COPIES = "__trickle_copies"


def fill_series(layout: Series, binding: Binding) -> exp.Query:
    """Every row of the input, told apart from its equals, with its answers."""
    one = _items(layout.input.schema.names, integer(1))
    rows = exp.Select(expressions=one).from_(subquery(render(layout.input, binding), "input"), copy=False)
    return _answered(layout, each_by_itself(counted(layout, rows)))


def overwrite_series(delta: Op, layout: Series, target: Target, binding: Binding) -> exp.Expr:
    """INSERT OVERWRITE storage with the answers for stored ⊎ Δ."""
    held = exp.Select(expressions=_items(layout.input.schema.names, integer(1)))
    both = [held.from_(target.held(), copy=False), changed_rows(delta, layout, binding)]
    return insert_overwrite(target, _answered(layout, each_by_itself(counted(layout, union_all(both), target))))


def changed_rows(delta: Op, layout: Series, binding: Binding) -> exp.Select:
    """What came and went of the input, as rows and how many of them."""
    names = layout.input.schema.names
    moved = subquery(render(Consolidate(delta), binding), "moved")
    return exp.Select(expressions=_items(names, column(WEIGHT))).from_(moved, copy=False)


def counted(layout: Series, parts: exp.Query, target: Target | None = None) -> exp.Select:
    """How many there are of each row; with a target, an error where more went than are stored."""
    names = layout.input.schema.names
    total: exp.Expr = cast(exp.Sum(this=column(COPIES)), "bigint")
    if target is not None:
        total = unless(exp.LT(this=exp.Sum(this=column(COPIES)), expression=integer(0)), total, target)
    query = exp.Select(expressions=_items(names, total)).from_(subquery(parts, "parts"), copy=False)
    query.set("group", exp.Group(expressions=[integer(place + 1) for place in range(len(names))]))
    return query


def each_by_itself(rows: exp.Query) -> exp.Select:
    """A row that is there n times as n rows, numbered."""
    some = exp.Select(expressions=[exp.Star()]).from_(subquery(rows, "counted"), copy=False)
    some.set("where", exp.Where(this=exp.GT(this=column(COPIES), expression=integer(0))))
    numbers = exp.Explode(this=exp.Anonymous(this="SEQUENCE", expressions=[integer(1), cast(column(COPIES), "int")]))
    name = exp.TableAlias(
        this=exp.to_identifier("__trickle_twins", quoted=True), columns=[exp.to_identifier(TWIN, quoted=True)]
    )
    query = exp.Select(expressions=[exp.Star()]).from_(subquery(some, "present"), copy=False)
    query.append("laterals", exp.Lateral(this=numbers, view=True, alias=name))
    return query


def in_order(tree: exp.Expr, layout: Series) -> exp.Expr:
    """The expression with every window in it over a total order of the stored rows."""
    return without_ties(tree, layout.identified_by)


def finished(layout: Series) -> list[exp.Expr]:
    """The stored columns, over the rows and their answers."""
    every = layout.finished()
    return [alias(every[name], name) for name in layout.stored]


def _answered(layout: Series, rows: exp.Query) -> exp.Select:
    answers = [alias(in_order(call.value.tree, layout), call.name) for call in layout.calls]
    items = [*(column(name) for name in layout.identity), *answers]
    answered = exp.Select(expressions=items).from_(subquery(rows, "rows"), copy=False)
    return exp.Select(expressions=finished(layout)).from_(subquery(answered, "answered"), copy=False)


def _items(names: Sequence[str], copies: exp.Expr) -> list[exp.Expr]:
    return [*(column(name) for name in names), alias(copies, COPIES)]
