"""recount: remove the values that lost copies, add what they keep and what is new. For results without a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from trickle.apply.price import MILLION
from trickle.apply.steps import Kind
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import CHANGES, TARGET, Target, merge_source, unless
from trickle.operators import Consolidate
from trickle.plan.comparable import all_same, grouped_rows
from trickle.plan.hidden_columns import COUNT
from trickle.plan.op import Op
from trickle.plan.schema import WEIGHT, Schema
from trickle.render.known_sizes import sizes_are_known
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.render.small import is_small
from trickle.sql.build import (
    alias,
    all_of,
    broadcast,
    cast,
    column,
    cte,
    integer,
    string,
    subquery,
    table,
    union_all,
    with_ctes,
)

if TYPE_CHECKING:
    from trickle.layouts.bag import Bag

STEP = "__trickle_step"
STORED = "__trickle_stored"
LOST = "lost"


def offer_recount(given: StrategyInput, layout: Bag) -> Strategy:
    """Always right."""
    delta, rates = given.delta, given.rates
    written = given.change_work.rows / MILLION * rates.write
    work = given.consolidated_work
    # The target is read three times, and the last time shuffled and sorted: MERGE keeps its source's rows.
    read = given.stored * (3 * rates.scan + rates.join + rates.sort)
    seconds = rates.merge + 2 * rates.stage + work.seconds + read + written
    once = sizes_are_known(delta, given.binding)
    return Strategy("recount", Kind.MERGE, seconds, lambda: recount(delta, layout, given.target, given.binding), once)


def recount(delta: Op, layout: Bag, target: Target, binding: Binding) -> exp.Expr:
    """MERGE by whole rows, null-safely.

    A value of weight w < 0 is removed (all its stored rows) and, if copies remain, added again with the new count;
    a value of weight w > 0 is added. So equal rows may be stored in several rows, and appending need not look them up.
    """
    columns = layout.columns
    return exp.Merge(
        this=table(target.storage, TARGET),
        using=merge_source(_steps(delta, columns, target, binding), is_small(delta, binding)),
        on=all_of(
            [exp.EQ(this=column(STEP, CHANGES), expression=string("remove")), all_same(columns, TARGET, CHANGES)]
        ),
        whens=exp.Whens(expressions=[_when_removed(), _when_added(layout)]),
    )


def _steps(delta: Op, columns: Schema, target: Target, binding: Binding) -> exp.Query:
    """One row per step: (value, 'remove') and (value, 'add', count)."""
    totals = _totals(columns, target, is_small(delta, binding))
    remaining = exp.Add(this=column(STORED), expression=column(WEIGHT))
    removes = exp.And(
        this=exp.EQ(this=column(STEP), expression=string("remove")),
        expression=exp.LT(this=column(WEIGHT), expression=integer(0)),
    )
    adds = exp.And(
        this=exp.EQ(this=column(STEP), expression=string("add")),
        expression=exp.NEQ(this=remaining.copy(), expression=integer(0)),
    )
    steps = union_all([exp.Select(expressions=[alias(string(step), STEP)]) for step in ("remove", "add")])
    count = unless(exp.LT(this=remaining.copy(), expression=integer(0)), cast(remaining, "bigint"), target)
    query = exp.Select(expressions=[*(column(name) for name in columns.names), column(STEP), alias(count, COUNT)])
    query = query.from_(subquery(totals, "totals"), copy=False)
    query.append("joins", exp.Join(this=subquery(steps, "steps"), kind="CROSS"))
    query.set("where", exp.Where(this=exp.Or(this=exp.Paren(this=removes), expression=exp.Paren(this=adds))))
    # A CTE of its own, so that both readers of the change share its one grouping.
    change = render(Consolidate(delta, columns), binding)
    nested = change.args.get("with_")
    change.set("with_", None)
    return with_ctes(query, [*(nested.expressions if nested is not None else []), cte(CHANGES, change)])


def _totals(columns: Schema, target: Target, small: bool) -> exp.Query:
    """Per touched value: its weight, and how many copies are stored (counted only where copies were lost)."""
    changed = exp.Select(
        expressions=[*(column(name) for name in columns.names), column(WEIGHT), alias(integer(0), STORED)]
    ).from_(exp.Table(this=exp.to_identifier(CHANGES, quoted=True)), copy=False)
    lost = exp.Select(expressions=[column(name) for name in columns.names]).from_(
        exp.Table(this=exp.to_identifier(CHANGES, quoted=True)), copy=False
    )
    lost.set("where", exp.Where(this=exp.LT(this=column(WEIGHT), expression=integer(0))))
    stored = exp.Select(
        expressions=[
            *(column(name, "held") for name in columns.names),
            alias(integer(0), WEIGHT),
            alias(column(COUNT, "held"), STORED),
        ]
    ).from_(table(target.storage, "held"), copy=False)
    matches = all_same(columns, "held", LOST)
    stored.append("joins", exp.Join(this=subquery(lost, LOST), side="LEFT", kind="SEMI", on=matches))
    if small:
        stored.set("hint", broadcast([LOST]))
    both = union_all([changed, stored])
    shown, keys = grouped_rows(columns, {name: column(name) for name in columns.names})
    totals = exp.Select(
        expressions=[
            *(tree if isinstance(tree, exp.Column) else alias(tree, name) for name, tree in shown.items()),
            alias(exp.Sum(this=column(WEIGHT)), WEIGHT),
            alias(exp.Sum(this=column(STORED)), STORED),
        ]
    ).from_(subquery(both, "parts"), copy=False)
    totals.set("group", exp.Group(expressions=keys))
    return totals


def _when_removed() -> exp.When:
    return exp.When(matched=True, then=exp.Var(this="DELETE"))


def _when_added(layout: Bag) -> exp.When:
    names = layout.stored
    insert = exp.Insert(
        this=exp.Tuple(expressions=[column(name) for name in names]),
        expression=exp.Tuple(expressions=[column(name, CHANGES) for name in names]),
    )
    return exp.When(matched=False, condition=exp.EQ(this=column(STEP, CHANGES), expression=string("add")), then=insert)
