"""replace_top: the stored first rows and the change, put in order again. The storage is small and written whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from trickle.apply.price import MILLION
from trickle.apply.steps import Kind
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import Target, insert_overwrite
from trickle.operators import Ordering
from trickle.plan.hidden_columns import COUNT, EXHAUSTED, KNOWN, PREFIX, ROWS, WHOLE
from trickle.plan.op import Op
from trickle.plan.schema import WEIGHT
from trickle.plan.stops import stop
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.build import alias, call, case, cast, column, integer, subquery, union_all

if TYPE_CHECKING:
    from trickle.layouts.top import Top

ROWS_RUN_OUT = "rows_run_out"
"""Code of the statement when too many rows have gone: the input is then read again."""
NOT_DECIDED = "the stored first rows do not decide the answer any more"

STORED, THROUGH, WITHIN, TOTAL = "__trickle_stored", "__trickle_through", "__trickle_within", "__trickle_total"
SO_FAR = exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW")
FROM_HERE = exp.WindowSpec(kind="ROWS", start="CURRENT ROW", end="UNBOUNDED", end_side="FOLLOWING")


def offer_replace_top(given: StrategyInput, layout: Top) -> Strategy:
    """Always right."""
    rates = given.rates
    work = given.consolidated_work
    rows = (given.target.rows + layout.capacity) / MILLION
    rewritten = rows * (rates.scan + rates.sort + rates.write)
    seconds = given.overwriting + 2 * rates.stage + work.seconds + rewritten
    return Strategy(
        "replace_top",
        Kind.OVERWRITE,
        seconds,
        lambda: replace_top(given.delta, layout, given.target, given.binding),
    )


def fill_top(layout: Top, binding: Binding) -> exp.Query:
    """The first rows of the input, counted; the last of them only if all rows that tie with it are among them."""
    names = layout.input.schema.names
    first = exp.Select(expressions=[exp.Star()]).from_(subquery(render(layout.input, binding), "input"), copy=False)
    first.set("order", _order(layout.order))
    first.set("limit", exp.Limit(expression=integer(layout.capacity + 1)))
    counted = exp.Select(
        expressions=[*(column(name) for name in names), alias(exp.Count(this=exp.Star()), ROWS)]
    ).from_(subquery(first, "first_rows"), copy=False)
    counted.set("group", exp.Group(expressions=[integer(number) for number in range(1, len(names) + 1)]))
    ranked = _ranked(layout, counted)
    before = exp.Sub(this=column(THROUGH), expression=column(ROWS))
    known = exp.Case(
        ifs=[
            exp.If(this=exp.LTE(this=column(TOTAL), expression=integer(layout.capacity)), true=integer(WHOLE)),
            exp.If(
                this=exp.GTE(this=_over_all(exp.Max(this=before)), expression=integer(layout.needed)),
                true=integer(PREFIX),
            ),
        ],
        default=integer(EXHAUSTED),
    )
    judged = exp.Select(expressions=[exp.Star(), alias(known, KNOWN)]).from_(subquery(ranked, "ranked"), copy=False)
    partial = exp.And(
        this=exp.EQ(this=column(KNOWN), expression=integer(PREFIX)),
        expression=exp.EQ(this=column(THROUGH), expression=column(TOTAL)),
    )
    return _shown(layout, judged, column(KNOWN)).where(exp.Not(this=exp.Paren(this=partial)), copy=False)


def replace_top(delta: Op, layout: Top, target: Target, binding: Binding) -> exp.Expr:
    """INSERT OVERWRITE storage with the first rows of stored ⊎ Δ, or fail when they are not enough."""
    known = _known(target)
    whole = exp.EQ(this=known.copy(), expression=integer(WHOLE))
    # Beyond the last stored row other rows may lie between those that came: nothing is known there.
    sure = exp.Or(this=whole.copy(), expression=exp.EQ(this=column(WITHIN), expression=integer(1)))
    there = exp.And(this=exp.GT(this=column(ROWS), expression=integer(0)), expression=exp.Paren(this=sure))
    names = layout.input.schema.names
    counted = exp.Select(
        expressions=[*(column(name) for name in names), alias(case(there, column(ROWS), integer(0)), ROWS)]
    ).from_(subquery(_together(delta, layout, target, binding), "placed"), copy=False)
    ranked = _ranked(layout, counted)
    uncut = exp.LTE(this=column(TOTAL), expression=integer(layout.capacity))
    now_known = case(exp.And(this=whole.copy(), expression=uncut), integer(WHOLE), integer(PREFIX))
    before = exp.Sub(this=column(THROUGH), expression=column(ROWS))
    stays = exp.And(
        this=exp.GT(this=column(ROWS), expression=integer(0)),
        expression=exp.LT(this=before, expression=integer(layout.capacity)),
    )
    # A condition on every row, so that it is evaluated when none of them stays.
    condition = case(_enough(layout, known), stays, stop(ROWS_RUN_OUT, NOT_DECIDED, "boolean"))
    return insert_overwrite(target, _shown(layout, ranked, now_known).where(condition, copy=False))


def _enough(layout: Top, known: exp.Expr) -> exp.Expr:
    """Whether the rows at hand decide the answer."""
    prefix = exp.And(
        this=exp.EQ(this=known.copy(), expression=integer(PREFIX)),
        expression=exp.GTE(this=column(TOTAL), expression=integer(layout.needed)),
    )
    return exp.Or(this=exp.EQ(this=known.copy(), expression=integer(WHOLE)), expression=exp.Paren(this=prefix))


def _together(delta: Op, layout: Top, target: Target, binding: Binding) -> exp.Query:
    """Stored and changed rows together, each with how often it occurs now, and whether a stored one comes after it."""
    names = layout.input.schema.names
    stored = exp.Select(
        expressions=[*(column(name) for name in names), alias(column(ROWS), ROWS), alias(integer(1), STORED)]
    ).from_(target.stored(), copy=False)
    weight = column(WEIGHT) if delta.signed else integer(1)
    changed = exp.Select(
        expressions=[*(column(name) for name in names), alias(weight, ROWS), alias(integer(0), STORED)]
    ).from_(subquery(render(delta, binding), "moved"), copy=False)
    together = exp.Select(
        expressions=[
            *(column(name) for name in names),
            alias(cast(exp.Sum(this=column(ROWS)), "bigint"), ROWS),
            alias(exp.Max(this=column(STORED)), STORED),
        ]
    ).from_(subquery(union_all([stored, changed]), "parts"), copy=False)
    together.set("group", exp.Group(expressions=[integer(number) for number in range(1, len(names) + 1)]))
    within = _window(exp.Max(this=column(STORED)), layout.order, FROM_HERE)
    return exp.Select(expressions=[exp.Star(), alias(within, WITHIN)]).from_(subquery(together, "together"), copy=False)


def _ranked(layout: Top, counted: exp.Query) -> exp.Select:
    """Counted rows in order: how many there are up to each, and in all."""
    items = [
        exp.Star(),
        alias(_window(exp.Sum(this=column(ROWS)), layout.order, SO_FAR), THROUGH),
        alias(_over_all(exp.Sum(this=column(ROWS))), TOTAL),
    ]
    return exp.Select(expressions=items).from_(subquery(counted, "counted"), copy=False)


def _known(target: Target) -> exp.Expr:
    """The column KNOWN of the storage; an empty storage means that the input is empty."""
    least = exp.Select(expressions=[exp.Min(this=column(KNOWN))]).from_(target.stored(), copy=False)
    return exp.Coalesce(this=exp.Subquery(this=least), expressions=[integer(WHOLE)])


def _shown(layout: Top, ranked: exp.Query, known: exp.Expr) -> exp.Select:
    """The stored columns; a row is shown as often as its copies fall between offset and offset + limit."""
    before = exp.Sub(this=column(THROUGH), expression=column(ROWS))
    last = call("LEAST", column(THROUGH), integer(layout.needed))
    first = call("GREATEST", before, integer(layout.offset))
    count = call("GREATEST", exp.Sub(this=last, expression=first), integer(0))
    every: dict[str, exp.Expr] = {
        **{name: column(name) for name in layout.input.schema.names},
        COUNT: cast(count, "bigint"),
        ROWS: cast(column(ROWS), "bigint"),
        KNOWN: cast(known, "int"),
    }
    items = [alias(every[name], name) for name in layout.stored]
    return exp.Select(expressions=items).from_(subquery(ranked, "ranked"), copy=False)


def _over_all(function: exp.Expr) -> exp.Window:
    return exp.Window(this=function, over="OVER")


def _window(function: exp.Expr, order: Sequence[Ordering], frame: exp.WindowSpec) -> exp.Window:
    return exp.Window(this=function, order=_order(order), spec=frame.copy(), over="OVER")


def _order(order: Sequence[Ordering]) -> exp.Order:
    return exp.Order(expressions=[item.tree() for item in order])
