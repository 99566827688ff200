"""append: add the new rows and touch nothing else. One action, the cheapest statement there is."""

from __future__ import annotations

from sqlglot import exp

from trickle.apply.target import Target
from trickle.layouts.groups import COUNT, Bag
from trickle.plan.op import Op
from trickle.plan.schema import WEIGHT
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.build import alias, cast, column, integer, subquery


def append(delta: Op, layout: Bag, target: Target, binding: Binding) -> exp.Expr:
    """INSERT INTO storage SELECT columns, weight FROM Δ, where Δ only adds."""
    weight = cast(column(WEIGHT) if delta.signed else integer(1), "bigint")
    items = [*(column(name) for name in layout.columns.names), alias(weight, COUNT)]
    query = exp.Select(expressions=items).from_(subquery(render(delta, binding), "added"), copy=False)
    columns = exp.Schema(this=target.relation(), expressions=[column(name).this for name in layout.stored])
    return exp.Insert(this=columns, expression=query)
