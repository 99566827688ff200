"""extend: add the new rows of an order with their window values, where all of them come after the stored ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from sqlglot import exp

from trickle.apply.order_positions import cte
from trickle.apply.row_range import WITHIN, row_range
from trickle.apply.steps import Kind
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import Target
from trickle.delta.appends_at_end import appends_at_end
from trickle.plan.op import Op
from trickle.render.reads import Binding
from trickle.sql.build import column, identifier, subquery

if TYPE_CHECKING:
    from trickle.layouts.series import Series


def offer_extend(given: StrategyInput, layout: Series) -> Optional[Strategy]:
    """Right where statistics prove that every new row comes after all stored ones."""
    changed = {name: size.changed for name, size in given.prices.sizes.items()}
    if not appends_at_end(given.delta, layout, given.binding.statistics, changed):
        return None
    rates = given.rates
    work = given.consolidated_work
    seconds = rates.append + 3 * rates.stage + work.seconds + given.stored * 3 * rates.scan
    return Strategy("extend", Kind.APPEND, seconds, lambda: extend(given.delta, layout, given.target, given.binding))


def extend(delta: Op, layout: Series, target: Target, binding: Binding) -> exp.Expr:
    """INSERT the new rows with their window values."""
    query = exp.Select(expressions=[column(name) for name in layout.stored]).from_(cte("fresh"), copy=False)
    query.set("where", exp.Where(this=column(WITHIN)))
    for name, body in row_range(delta, layout, target, binding):
        query = query.with_(identifier(name), as_=body, copy=False)
    columns = exp.Schema(this=target.relation(), expressions=[identifier(name) for name in layout.stored])
    every = exp.Select(expressions=[exp.Star()]).from_(subquery(query, "added"), copy=False)
    return exp.Insert(this=columns, expression=every)
