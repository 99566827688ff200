"""state_check: the query that finds every stored row whose hidden state cannot be right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from trickle.apply.printed import printed
from trickle.apply.target import Target
from trickle.apply.whole_series import fill_series
from trickle.catalog.reads import repeated
from trickle.layouts.groups import COUNT, ROWS, Groups, initial_plan
from trickle.layouts.series import TWIN, Series
from trickle.layouts.summary import Summary
from trickle.layouts.top import EXHAUSTED, KNOWN, WHOLE, Top
from trickle.plan.schema import Column
from trickle.planning.compile import CompiledView
from trickle.planning.exact_check import SIDE, adds_up, comparable, computed, only, pinned_sources
from trickle.planning.instants import AsOf
from trickle.render.render import render
from trickle.sql.build import (
    alias,
    all_of,
    call,
    cast,
    column,
    integer,
    named_columns,
    same,
    string,
    subquery,
    union_all,
)

IMPOSSIBLE = "counts that cannot be"
STORED_ONLY, COMPUTED_ONLY = "stored, and not what recomputing gives", "what recomputing gives, and not stored"
UNFOLLOWED = "does not follow from its own states"

NOW, HELD, IS_STORED, WITHIN = "__trickle_now", "__trickle_held", "__trickle_is_stored", "__trickle_within"
THROUGH = "__trickle_through"


@dataclass(frozen=True)
class Rows:
    """The stored columns, in the form in which every part of the check answers them."""

    columns: tuple[Column, ...]
    summed: bool

    def select(self, problem: str, relation: exp.Expr, instead: Mapping[str, exp.Expr] | None = None) -> exp.Select:
        """The problem, then the columns; `instead` computes some of them."""
        items = [
            alias(comparable((instead or {}).get(own.name) or column(own.name), own, self.summed), own.name)
            for own in self.columns
        ]
        query = exp.Select(expressions=[alias(string(problem), SIDE), *items])
        return query.from_(relation, copy=False)

    def unless(self, holds: exp.Expr, problem: str, relation: exp.Expr) -> exp.Query:
        """The rows for which a condition does not hold; unknown does not hold."""
        sure = exp.Coalesce(this=exp.Paren(this=holds), expressions=[exp.false()])
        return self.select(problem, relation).where(exp.Not(this=sure), copy=False)


def state_check(view: CompiledView, target: Target, at: AsOf) -> str:
    """Rows with counts that cannot be, with states other than recomputing at the recorded versions gives, and with
    visible columns that do not follow from their states. Empty ⇔ the next refresh may build upon what is stored.
    """
    match view.layout:
        case Groups() as layout:
            problems = _of_groups(view, layout, target, at)
        case Top() as layout:
            problems = _of_top(view, layout, target, at)
        case Series() as layout:
            problems = _of_series(view, layout, target, at)
        case Summary() as layout:
            problems = _of_summary(view, layout, target, at)
        case _:
            problems = _of_rows(view, target, at)
    return printed(union_all(problems))


def _of_rows(view: CompiledView, target: Target, at: AsOf) -> list[exp.Query]:
    """A row's only state is how often it is shown."""
    rows = Rows((*view.columns, Column(COUNT, "bigint")), adds_up(view))
    possible = exp.GTE(this=column(COUNT), expression=integer(1))
    stored = subquery(repeated(target.storage, view.columns.names), "stored")
    anew = named_columns(computed(view, at), "computed", view.columns.names)
    sides = [
        only(STORED_ONLY, stored, anew, view.columns.columns, rows.summed),
        only(COMPUTED_ONLY, anew, stored, view.columns.columns, rows.summed),
    ]
    return [rows.unless(possible, IMPOSSIBLE, target.relation()), *map(_with_count, sides)]


def _with_count(query: exp.Query) -> exp.Query:
    """How often a row is stored says nothing about each of its copies."""
    items = [exp.Star(), alias(cast(exp.Null(), "bigint"), COUNT)]
    return exp.Select(expressions=items).from_(subquery(query, "rows"), copy=False)


def _of_groups(view: CompiledView, layout: Groups, target: Target, at: AsOf) -> list[exp.Query]:
    least = integer(1 if layout.aggregate.keys else 0)
    possible = exp.And(
        this=exp.Between(this=column(COUNT), low=integer(0), high=column(ROWS) if layout.repeats else integer(1)),
        expression=exp.GTE(this=column(ROWS), expression=least),
    )
    plan = initial_plan(layout, layout.aggregate.child)
    anew = subquery(render(plan, pinned_sources(view, at)), "computed")
    types = {one.name: one.type for one in (*plan.schema, *view.columns)}
    rows = Rows(tuple(Column(name, types[name]) for name in layout.stored), adds_up(view))
    found = [
        rows.unless(possible, IMPOSSIBLE, target.relation()),
        only(STORED_ONLY, target.relation(), anew, rows.columns, rows.summed),
        only(COMPUTED_ONLY, anew, target.relation(), rows.columns, rows.summed),
    ]
    if layout.algebraic:
        found.append(rows.unless(_follows(view, layout), UNFOLLOWED, target.relation()))
    return found


def _follows(view: CompiledView, layout: Groups) -> exp.Expr:
    """visible = finish(states), for every visible column and the count."""
    keys: dict[str, exp.Expr] = {key: column(stored) for key, stored in layout.key_columns.items()}
    finished = layout.finished(keys, {name: column(name) for name, _ in layout.states}, column(ROWS))
    summed = adds_up(view)

    def told(own: Column) -> exp.Expr:
        return cast(finished[own.name], own.type) if own.type else finished[own.name]

    each = [
        same(comparable(column(own.name), own, summed), comparable(told(own), own, summed))
        for own in (*view.columns, Column(COUNT, "bigint"))
    ]
    together = all_of(each)
    assert together is not None
    return together


def _of_series(view: CompiledView, layout: Series, target: Target, at: AsOf) -> list[exp.Query]:
    """Every row of the order is stored with the answers that computing all of them gives."""
    possible = exp.And(
        this=exp.Between(this=column(COUNT), low=integer(0), high=integer(1)),
        expression=exp.GTE(this=column(TWIN), expression=integer(1)),
    )
    anew = subquery(fill_series(layout, pinned_sources(view, at)), "computed")
    types = {one.name: one.type for one in (*layout.input.schema, *view.columns)}
    rows = Rows(tuple(Column(name, types.get(name, "bigint")) for name in layout.stored), adds_up(view))
    return [
        rows.unless(possible, IMPOSSIBLE, target.relation()),
        only(STORED_ONLY, target.relation(), anew, rows.columns, rows.summed),
        only(COMPUTED_ONLY, anew, target.relation(), rows.columns, rows.summed),
    ]


def _of_summary(view: CompiledView, layout: Summary, target: Target, at: AsOf) -> list[exp.Query]:
    """Every group is stored with its states and with what computing it anew shows of it."""
    possible = exp.And(
        this=exp.Between(this=column(COUNT), low=integer(0), high=integer(1)),
        expression=exp.GTE(this=column(ROWS), expression=integer(1)),
    )
    plan = layout.filled()
    anew = subquery(render(plan, pinned_sources(view, at)), "computed")
    types = {one.name: one.type for one in (*plan.schema, *view.columns)}
    rows = Rows(tuple(Column(name, types[name]) for name in layout.stored), adds_up(view))
    return [
        rows.unless(possible, IMPOSSIBLE, target.relation()),
        only(STORED_ONLY, target.relation(), anew, rows.columns, rows.summed),
        only(COMPUTED_ONLY, anew, target.relation(), rows.columns, rows.summed),
    ]


def _of_top(view: CompiledView, layout: Top, target: Target, at: AsOf) -> list[exp.Query]:
    """Rows come in the right number up to the last stored one, and are shown where limit and offset say."""
    known = exp.Select(expressions=[exp.Min(this=column(KNOWN))]).from_(target.relation(), copy=False).subquery()
    possible = exp.And(
        this=exp.And(
            this=exp.GTE(this=column(ROWS), expression=integer(1)),
            expression=exp.Between(this=column(COUNT), low=integer(0), high=column(ROWS)),
        ),
        expression=exp.And(
            this=exp.Between(this=column(KNOWN), low=integer(EXHAUSTED), high=integer(WHOLE)),
            expression=exp.EQ(this=column(KNOWN), expression=known.copy()),
        ),
    )
    types = {one.name: one.type for one in (*layout.input.schema, *view.columns)}
    rows = Rows(tuple(Column(name, types.get(name, "bigint")) for name in layout.stored), adds_up(view))
    return [
        rows.unless(possible, IMPOSSIBLE, target.relation()),
        _miscounted(view, layout, target, at, known, rows),
        rows.unless(_shown_as_it_should(layout), UNFOLLOWED, _ranked(layout, target)),
    ]


def _miscounted(
    view: CompiledView, layout: Top, target: Target, at: AsOf, known: exp.Subquery, rows: Rows
) -> exp.Query:
    """Rows of the input that come no later than the last stored one, and are stored another number of times."""
    names = layout.input.schema.names

    def part(relation: exp.Expr, now: exp.Expr, held: exp.Expr, is_stored: int) -> exp.Select:
        items = [*(column(name) for name in names), alias(now, NOW), alias(held, HELD)]
        items.append(alias(integer(is_stored), IS_STORED))
        return exp.Select(expressions=items).from_(relation, copy=False)

    there = subquery(render(layout.input, pinned_sources(view, at)), "input")
    both = [part(there, integer(1), integer(0), 0), part(target.relation(), integer(0), column(ROWS), 1)]
    together = exp.Select(
        expressions=[
            *(column(name) for name in names),
            alias(exp.Sum(this=column(NOW)), NOW),
            alias(exp.Sum(this=column(HELD)), HELD),
            alias(exp.Max(this=column(IS_STORED)), IS_STORED),
        ]
    ).from_(subquery(union_all(both), "both"), copy=False)
    together.set("group", exp.Group(expressions=[integer(place + 1) for place in range(len(names))]))
    later = exp.WindowSpec(kind="ROWS", start="CURRENT ROW", end="UNBOUNDED", end_side="FOLLOWING")
    within = exp.Window(this=exp.Max(this=column(IS_STORED)), order=_order(layout), spec=later, over="OVER")
    placed = exp.Select(expressions=[exp.Star(), alias(within, WITHIN)])
    placed = placed.from_(subquery(together, "together"), copy=False)
    reached = exp.Or(
        this=exp.EQ(this=known.copy(), expression=integer(WHOLE)),
        expression=exp.EQ(this=column(WITHIN), expression=integer(1)),
    )
    differs = exp.NEQ(this=column(NOW), expression=column(HELD))
    undecided = exp.NEQ(this=known.copy(), expression=integer(EXHAUSTED))
    counts = {ROWS: cast(column(HELD), "bigint"), COUNT: cast(exp.Null(), "bigint"), KNOWN: cast(exp.Null(), "int")}
    condition = all_of([exp.Paren(this=reached), differs, undecided])
    return rows.select(STORED_ONLY, subquery(placed, "placed"), counts).where(condition, copy=False)


def _ranked(layout: Top, target: Target) -> exp.Subquery:
    """Stored rows with how many there are up to each."""
    so_far = exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW")
    through = exp.Window(this=exp.Sum(this=column(ROWS)), order=_order(layout), spec=so_far, over="OVER")
    ranked = exp.Select(expressions=[exp.Star(), alias(through, THROUGH)]).from_(target.relation(), copy=False)
    return subquery(ranked, "ranked")


def _shown_as_it_should(layout: Top) -> exp.Expr:
    """count = how much of a row lies between offset and offset + limit."""
    before = exp.Sub(this=column(THROUGH), expression=column(ROWS))
    first = call("GREATEST", before, integer(layout.offset))
    last = call("LEAST", column(THROUGH), integer(layout.needed))
    shown = call("GREATEST", exp.Sub(this=last, expression=first), integer(0))
    return exp.EQ(this=column(COUNT), expression=shown)


def _order(layout: Top) -> exp.Order:
    return exp.Order(expressions=[item.tree() for item in layout.order])
