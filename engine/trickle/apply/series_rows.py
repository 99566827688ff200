"""The rows of an order with their window values, computed from the first row to the last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from trickle.apply.target import Target, unless
from trickle.operators import Consolidate
from trickle.plan.hidden_columns import TWIN
from trickle.plan.op import Op
from trickle.plan.schema import WEIGHT
from trickle.plan.ties import without_ties
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.build import alias, cast, column, integer, subquery

if TYPE_CHECKING:
    from trickle.layouts.series import Series

COPIES = "__trickle_copies"


def fill_series(layout: Series, binding: Binding) -> exp.Query:
    """Every row of the input, numbered among its equals, with its window values."""
    items = with_copies(layout.input.schema.names, integer(1))
    rows = exp.Select(expressions=items).from_(subquery(render(layout.input, binding), "input"), copy=False)
    return with_values(layout, each_by_itself(counted(layout, rows)))


def changed_rows(delta: Op, layout: Series, binding: Binding) -> exp.Select:
    """The change of the input: rows and how many of each."""
    names = layout.input.schema.names
    changed = subquery(render(Consolidate(delta), binding), "moved")
    return exp.Select(expressions=with_copies(names, column(WEIGHT))).from_(changed, copy=False)


def counted(layout: Series, parts: exp.Query, target: Target | None = None) -> exp.Select:
    """How many there are of each row; with a target, an error where more are removed than are stored."""
    names = layout.input.schema.names
    total: exp.Expr = cast(exp.Sum(this=column(COPIES)), "bigint")
    if target is not None:
        total = unless(exp.LT(this=exp.Sum(this=column(COPIES)), expression=integer(0)), total, target)
    query = exp.Select(expressions=with_copies(names, total)).from_(subquery(parts, "parts"), copy=False)
    query.set("group", exp.Group(expressions=[integer(number) for number in range(1, len(names) + 1)]))
    return query


def each_by_itself(rows: exp.Query) -> exp.Select:
    """A row that occurs n times as n numbered rows."""
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
    """The stored columns, over the rows and their window values."""
    every = layout.finished()
    return [alias(every[name], name) for name in layout.stored]


def with_values(layout: Series, rows: exp.Query) -> exp.Select:
    """The stored columns over these rows, with window values computed over all of them."""
    values = [alias(in_order(call.value.tree, layout), call.name) for call in layout.calls]
    items = [*(column(name) for name in layout.identity), *values]
    answered = exp.Select(expressions=items).from_(subquery(rows, "rows"), copy=False)
    return exp.Select(expressions=finished(layout)).from_(subquery(answered, "answered"), copy=False)


def with_copies(names: Sequence[str], copies: exp.Expr) -> list[exp.Expr]:
    """The columns, and how often each row occurs."""
    return [*(column(name) for name in names), alias(copies, COPIES)]
