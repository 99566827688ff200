"""replace_suffix, replace_neighbours, replace_series: MERGE the rows of a range whose window values differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from trickle.apply.order_positions import cte
from trickle.apply.row_range import WITHIN, row_range
from trickle.apply.steps import Kind
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import CHANGES, TARGET, Target
from trickle.plan.comparable import all_same
from trickle.plan.hidden_columns import TWIN
from trickle.plan.op import Op
from trickle.render.reads import Binding
from trickle.sql.build import alias, all_of, column, identifier, same, subquery, table

if TYPE_CHECKING:
    from trickle.layouts.series import Series

GONE = "__trickle_gone"
BEHIND = 0.5
"""The share of an order that comes after the first position of it that changed: a guess."""


def offer_replace_range(given: StrategyInput, layout: Series) -> Strategy:
    """Always right."""
    rates, stored = given.rates, given.stored
    work = given.consolidated_work
    in_range = stored * (BEHIND if layout.by else 1.0)
    # Before the range rows are only read; MERGE then reads the table twice and sorts what it is joined with.
    read = stored * (6 * rates.scan + rates.join + rates.sort)
    # Rows are grouped to tell equal ones apart, and put in order.
    written = in_range * (rates.group + rates.sort + rates.join + rates.write)
    seconds = rates.merge + 6 * rates.stage + work.seconds + read + written
    return Strategy(
        layout.reach,
        Kind.MERGE,
        seconds,
        lambda: replace_range(given.delta, layout, given.target, given.binding),
    )


def replace_range(delta: Op, layout: Series, target: Target, binding: Binding) -> exp.Expr:
    """MERGE ON the whole row: gone → DELETE, other values → UPDATE, new → INSERT; equal rows are not in its source."""
    keys = layout.identity
    rest = [name for name in layout.stored if name not in keys]
    gone = column(GONE, CHANGES)
    assignments = [exp.EQ(this=column(name), expression=column(name, CHANGES)) for name in rest]
    insert = exp.Insert(
        this=exp.Tuple(expressions=[column(name) for name in layout.stored]),
        expression=exp.Tuple(expressions=[column(name, CHANGES) for name in layout.stored]),
    )
    whens = [
        exp.When(matched=True, condition=gone, then=exp.Var(this="DELETE")),
        exp.When(matched=True, then=exp.Update(expressions=assignments)),
        exp.When(matched=False, condition=exp.Not(this=gone.copy()), then=insert),
    ]
    return exp.Merge(
        this=table(target.storage, TARGET),
        using=subquery(_differences(delta, layout, target, binding), CHANGES),
        on=all_same(layout.identified_by, TARGET, CHANGES),
        whens=exp.Whens(expressions=whens),
    )


def _differences(delta: Op, layout: Series, target: Target, binding: Binding) -> exp.Query:
    """Each stored row beside the row that takes its place, where they differ."""
    keys = layout.identity
    rest = [name for name in layout.stored if name not in keys]
    new, old = "fresh", "held"
    items: list[exp.Expr] = [
        alias(exp.Coalesce(this=column(name, new), expressions=[column(name, old)]), name) for name in keys
    ]
    items += [alias(column(name, new), name) for name in rest]
    gone = exp.Is(this=column(TWIN, new), expression=exp.Null())
    query = exp.Select(expressions=[*items, alias(gone, GONE)]).from_(cte(new), copy=False)
    query.append("joins", exp.Join(this=cte(old), side="FULL", on=all_same(layout.identified_by, new, old)))
    unknown = exp.Is(this=column(TWIN, old), expression=exp.Null())
    equal = all_of(same(column(name, new), column(name, old)) for name in rest)
    assert equal is not None
    other = exp.Or(this=unknown, expression=exp.Not(this=exp.Paren(this=equal)))
    answered = exp.And(this=column(WITHIN, new), expression=exp.Paren(this=other))
    query.set("where", exp.Where(this=exp.Or(this=gone.copy(), expression=exp.Paren(this=answered))))
    for name, body in row_range(delta, layout, target, binding):
        query = query.with_(identifier(name), as_=body, copy=False)
    return query
