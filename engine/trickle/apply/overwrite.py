"""overwrite: write the whole storage anew, from the query itself or, when that is cheaper, from state ⊎ delta."""

from __future__ import annotations

from sqlglot import exp

from trickle.apply.target import Target, insert_overwrite, unless
from trickle.layouts.groups import COUNT, ROWS, Bag, Groups
from trickle.operators import Consolidate, Stored, UnionAll
from trickle.plan.op import Op
from trickle.plan.schema import WEIGHT
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.build import alias, cast, column, integer, named_columns, one_task, subquery, union_all


def fill_bag(layout: Bag, recomputed: exp.Expr) -> exp.Query:
    """The user's own SELECT, each row counted once."""
    items = [*(column(name) for name in layout.columns.names), alias(cast(integer(1), "bigint"), COUNT)]
    return exp.Select(expressions=items).from_(named_columns(recomputed, "result", layout.columns.names), copy=False)


def overwrite_bag(delta: Op, layout: Bag, target: Target, binding: Binding) -> exp.Expr:
    """INSERT OVERWRITE storage SELECT value, Σ count FROM storage ⊎ Δ GROUP BY value, without the zeros."""
    whole = Consolidate(UnionAll((Stored(layout.columns), delta)), layout.columns)
    count = unless(exp.LT(this=column(WEIGHT), expression=integer(0)), cast(column(WEIGHT), "bigint"), target)
    items = [*(column(name) for name in layout.columns.names), alias(count, COUNT)]
    return insert_overwrite(
        target, exp.Select(expressions=items).from_(subquery(render(whole, binding), "merged"), copy=False)
    )


def overwrite_groups(change: exp.Query, layout: Groups, target: Target, small: bool = False) -> exp.Expr:
    """INSERT OVERWRITE storage from stored states ⊎ changes of states, one grouping over both."""
    keys = layout.key_columns
    held = exp.Select(
        expressions=[
            *(alias(column(stored), key) for key, stored in keys.items()),
            column(ROWS),
            *(column(name) for name, _ in layout.states),
        ]
    ).from_(target.held(), copy=False)
    totals = exp.Select(
        expressions=[
            *(column(key) for key in keys),
            alias(exp.Sum(this=column(ROWS)), ROWS),
            *(alias(state.combine.of_all(column(name)), name) for name, state in layout.states),
        ]
    ).from_(_parts(union_all([held, _plain(change)]), small), copy=False)
    if keys:
        totals.set("group", exp.Group(expressions=[integer(place + 1) for place in range(len(keys))]))
    states = {name: column(name) for name, _ in layout.states}
    finished = layout.finished({key: column(key) for key in keys}, states, column(ROWS))
    hidden = {stored: column(key) for key, stored in layout.hidden_keys.items()}
    rows = unless(exp.LT(this=column(ROWS), expression=integer(0)), column(ROWS), target)
    every = {**finished, **hidden, ROWS: rows, **states}
    query = exp.Select(expressions=[alias(every[name], name) for name in layout.stored])
    query = query.from_(subquery(totals, "totals"), copy=False)
    if keys:
        query.set("where", exp.Where(this=exp.NEQ(this=column(ROWS), expression=integer(0))))
    return insert_overwrite(target, query)


def _parts(union: exp.Query, small: bool) -> exp.Subquery:
    parts = subquery(union, "parts")
    return subquery(one_task(parts), "parts") if small else parts


def _plain(change: exp.Query) -> exp.Query:
    """A query with CTEs as a branch of a union."""
    if change.args.get("with_") is None:
        return change
    return exp.Select(expressions=[exp.Star()]).from_(subquery(change, "moved"), copy=False)
