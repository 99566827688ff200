"""overwrite (of a Bag): write the whole storage anew from the stored rows and their change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from trickle.apply.price import MILLION
from trickle.apply.steps import Kind
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import Target, insert_overwrite, unless
from trickle.operators import Consolidate, Stored, UnionAll
from trickle.plan.hidden_columns import COUNT
from trickle.plan.op import Op
from trickle.plan.schema import WEIGHT
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.build import alias, cast, column, integer, subquery

if TYPE_CHECKING:
    from trickle.layouts.bag import Bag


def offer_overwrite_rows(given: StrategyInput, layout: Bag) -> Strategy:
    """Always right; dear where much is stored."""
    delta, rates, stored = given.delta, given.rates, given.stored
    written = given.change_work.rows / MILLION * rates.write
    work = given.consolidated_work
    seconds = given.overwriting + work.seconds + stored * (rates.scan + rates.sort + rates.write) + written
    return Strategy(
        "overwrite", Kind.OVERWRITE, seconds, lambda: overwrite_rows(delta, layout, given.target, given.binding)
    )


def overwrite_rows(delta: Op, layout: Bag, target: Target, binding: Binding) -> exp.Expr:
    """INSERT OVERWRITE storage SELECT value, Σ count FROM storage ⊎ Δ GROUP BY value, without the zeros."""
    whole = Consolidate(UnionAll((Stored(layout.columns), delta)), layout.columns)
    count = unless(exp.LT(this=column(WEIGHT), expression=integer(0)), cast(column(WEIGHT), "bigint"), target)
    items = [*(column(name) for name in layout.columns.names), alias(count, COUNT)]
    return insert_overwrite(
        target, exp.Select(expressions=items).from_(subquery(render(whole, binding), "merged"), copy=False)
    )
