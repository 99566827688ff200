"""overwrite (of Groups): write the whole storage anew from the stored states and their changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from trickle.apply.state_changes import StateChanges
from trickle.apply.steps import Kind
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import Target, insert_overwrite, unless
from trickle.plan.hidden_columns import ROWS
from trickle.render.known_sizes import sizes_are_known
from trickle.render.render import render
from trickle.render.small import FEW_ROWS, in_one_task
from trickle.sql.build import alias, column, integer, one_task, subquery, union_all

if TYPE_CHECKING:
    from trickle.layouts.groups import Groups


def offer_overwrite_groups(given: StrategyInput, layout: Groups, changes: StateChanges) -> Strategy:
    """Right where there are changes of states."""
    binding, rates = given.binding, given.rates
    rewriting = given.stored * (rates.scan + rates.group + rates.write)
    seconds = given.overwriting + rates.stage + changes.work.seconds + rewriting
    small = binding.stored_in_one_task and id(changes.plan) in in_one_task(changes.plan, binding)
    return Strategy(
        "overwrite",
        Kind.OVERWRITE,
        seconds,
        lambda: overwrite_groups(render(changes.plan, binding), layout, given.target, small),
        small or (given.target.rows <= FEW_ROWS and sizes_are_known(changes.plan, binding)),
    )


def overwrite_groups(change: exp.Query, layout: Groups, target: Target, small: bool = False) -> exp.Expr:
    """INSERT OVERWRITE storage from stored states ⊎ changes of states, one grouping over both."""
    keys = layout.key_columns
    stored = exp.Select(
        expressions=[
            *(alias(column(stored), key) for key, stored in keys.items()),
            column(ROWS),
            *(column(name) for name, _ in layout.states),
        ]
    ).from_(target.stored(), copy=False)
    totals = exp.Select(
        expressions=[
            *(column(key) for key in keys),
            alias(exp.Sum(this=column(ROWS)), ROWS),
            *(alias(state.combine.of_all(column(name)), name) for name, state in layout.states),
        ]
    ).from_(_parts(union_all([stored, _plain(change)]), small), copy=False)
    if keys:
        totals.set("group", exp.Group(expressions=[integer(number) for number in range(1, len(keys) + 1)]))
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
