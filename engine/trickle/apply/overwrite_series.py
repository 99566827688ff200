"""overwrite (of a Series): compute the window values of all rows again and write the whole storage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from trickle.apply.series_rows import changed_rows, counted, each_by_itself, with_copies, with_values
from trickle.apply.steps import Kind
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import Target, insert_overwrite
from trickle.plan.op import Op
from trickle.render.reads import Binding
from trickle.sql.build import integer, union_all

if TYPE_CHECKING:
    from trickle.layouts.series import Series


def offer_overwrite_series(given: StrategyInput, layout: Series) -> Strategy:
    """Always right."""
    rates = given.rates
    work = given.consolidated_work
    # Rows are grouped to tell equal ones apart, and put in order.
    rewritten = given.stored * (rates.scan + rates.group + rates.sort + rates.write)
    seconds = given.overwriting + 2 * rates.stage + work.seconds + rewritten
    return Strategy(
        "overwrite",
        Kind.OVERWRITE,
        seconds,
        lambda: overwrite_series(given.delta, layout, given.target, given.binding),
    )


def overwrite_series(delta: Op, layout: Series, target: Target, binding: Binding) -> exp.Expr:
    """INSERT OVERWRITE storage with the window values over stored ⊎ Δ."""
    stored = exp.Select(expressions=with_copies(layout.input.schema.names, integer(1)))
    both = [stored.from_(target.stored(), copy=False), changed_rows(delta, layout, binding)]
    return insert_overwrite(target, with_values(layout, each_by_itself(counted(layout, union_all(both), target))))
