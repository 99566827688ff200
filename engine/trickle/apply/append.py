"""append: add the new rows and touch nothing else. One action, the cheapest statement there is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Optional

from sqlglot import exp

from trickle.apply.price import MILLION
from trickle.apply.steps import Kind
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import Target
from trickle.plan.hidden_columns import COUNT
from trickle.plan.op import Op
from trickle.plan.schema import WEIGHT
from trickle.render.known_sizes import joins_are_known
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.build import alias, cast, column, integer, subquery

if TYPE_CHECKING:
    from trickle.layouts.bag import Bag


def offer_append(given: StrategyInput, layout: Bag) -> Optional[Strategy]:
    """Right where the change only adds rows."""
    if not given.only_adds:
        return None
    work, rates = given.change_work, given.rates
    seconds = rates.append + work.seconds + work.rows / MILLION * rates.write
    once = joins_are_known(given.delta, given.binding)
    build = partial(append, given.delta, layout, given.target, given.binding)
    return Strategy("append", Kind.APPEND, seconds, build, once)


def append(delta: Op, layout: Bag, target: Target, binding: Binding) -> exp.Expr:
    """INSERT INTO storage SELECT columns, weight FROM Δ, where Δ only adds."""
    weight = cast(column(WEIGHT) if delta.signed else integer(1), "bigint")
    items = [*(column(name) for name in layout.columns.names), alias(weight, COUNT)]
    query = exp.Select(expressions=items).from_(subquery(render(delta, binding), "added"), copy=False)
    columns = exp.Schema(this=target.relation(), expressions=[column(name).this for name in layout.stored])
    return exp.Insert(this=columns, expression=query)
