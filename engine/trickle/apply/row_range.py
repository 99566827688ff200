"""The row range of a change: the stored rows from its first position in the order on, with new window values.

Where calls only read their neighbours, the range ends as many rows after the last changed position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from trickle.apply.order_positions import KEY, backwards, comes_before, cte, edge, keys_of, with_keys
from trickle.apply.series_rows import COPIES, changed_rows, counted, each_by_itself, finished, in_order
from trickle.apply.target import Target
from trickle.plan.op import Op
from trickle.render.reads import Binding
from trickle.sql.build import (
    alias,
    all_of,
    call,
    case,
    column,
    integer,
    subquery,
    union_all,
)

if TYPE_CHECKING:
    from trickle.layouts.series import Series

FIRST, LAST, START, FINISH = "first", "last", "start", "finish"
POSITION = "__trickle_place"
PRIOR, THROUGH, WITHIN = "__trickle_prior", "__trickle_through", "__trickle_within"


def row_range(delta: Op, layout: Series, target: Target, binding: Binding) -> list[tuple[str, exp.Query]]:
    """CTEs by name, in reading order: `held` are the stored rows of the range, `fresh` those that replace them."""
    stored = with_keys(target.relation(), layout.by)
    parts = [("changed", changed_rows(delta, layout, binding)), *_bounds(layout, stored)]
    stored_rows = exp.Select(expressions=[column(name) for name in layout.stored])
    stored_rows = stored_rows.from_(subquery(stored, "stored"), copy=False)
    earlier: exp.Query | None = None
    if layout.by:
        _between(stored_rows, layout)
        earlier = _earlier(layout, stored)
    names = layout.input.schema.names
    existing = exp.Select(expressions=[*(column(name) for name in names), alias(integer(1), COPIES)])
    changed = exp.Select(expressions=[exp.Star()]).from_(cte("changed"), copy=False)
    both = union_all([existing.from_(cte("held"), copy=False), changed])
    rows = each_by_itself(counted(layout, both, target))
    parts += [("held", stored_rows)]
    if earlier is not None:
        parts += [("earlier", earlier)]
    parts += [("rows", rows), ("answered", _answered(layout, earlier is not None))]
    fresh = exp.Select(expressions=[*finished(layout), alias(_is_within(layout), WITHIN)])
    return [*parts, ("fresh", fresh.from_(cte("answered"), copy=False))]


def _bounds(layout: Series, stored: exp.Query) -> list[tuple[str, exp.Query]]:
    """The positions between which window values are computed again, and those between which rows are read."""
    if not layout.by:
        return []
    around = layout.back + layout.ahead
    bounds = edge(layout.by, stored, FIRST, START, around)
    if not layout.goes_on:
        bounds += edge([backwards(item) for item in layout.by], stored, LAST, FINISH, around)
    return bounds


def _between(query: exp.Select, layout: Series) -> None:
    """From the start of the range on, to its end if it has one."""
    query.append("joins", exp.Join(this=cte(START), kind="CROSS"))
    keys = keys_of(KEY, layout.by)
    conditions: list[exp.Expr] = [exp.Not(this=comes_before(layout.by, keys, keys_of(START, layout.by)))]
    if not layout.goes_on:
        query.append("joins", exp.Join(this=cte(FINISH), kind="CROSS"))
        conditions.append(exp.Not(this=comes_before(layout.by, keys_of(FINISH, layout.by), keys)))
    query.set("where", exp.Where(this=all_of(conditions)))


def _earlier(layout: Series, stored: exp.Query) -> exp.Query | None:
    """One row: the aggregates over the rows before the range that the calls need."""
    items = [
        alias(item.value.tree_copy(), item.name)
        for resumed in layout.resumed
        if resumed is not None
        for item in resumed.earlier
    ]
    if not items:
        return None
    query = exp.Select(expressions=items).from_(subquery(stored.copy(), "stored"), copy=False)
    query.append("joins", exp.Join(this=cte(START), kind="CROSS"))
    before = comes_before(layout.by, keys_of(KEY, layout.by), keys_of(START, layout.by))
    query.set("where", exp.Where(this=before))
    return query


def _answered(layout: Series, resumes: bool) -> exp.Select:
    """The rows of the range with their window values and their positions in it."""
    items: list[exp.Expr] = [column(name) for name in layout.identity]
    for own, resumed in zip(layout.calls, layout.resumed):
        tree = own.value.tree if resumed is None or not layout.by else resumed.value
        items.append(alias(in_order(tree, layout), own.name))
    query = exp.Select(expressions=[*items, *_positions(layout)])
    query = query.from_(subquery(with_keys(cte("rows"), layout.by), "rows"), copy=False)
    if resumes:
        query.append("joins", exp.Join(this=cte("earlier"), kind="CROSS"))
    for bound in _bounds_of_values(layout):
        query.append("joins", exp.Join(this=cte(bound), kind="CROSS"))
    return query


def _bounds_of_values(layout: Series) -> list[str]:
    """The changed positions from which rows are counted, where calls read their neighbours."""
    if not layout.by or not layout.back + layout.ahead:
        return []
    return [FIRST] if layout.goes_on else [FIRST, LAST]


def _positions(layout: Series) -> list[exp.Expr]:
    """A row's number in the range; how many come before the first changed position, and before or at the last."""
    bounds = _bounds_of_values(layout)
    if not bounds:
        return []
    by, keys = layout.by, keys_of(KEY, layout.by)
    order = exp.Order(expressions=[item.copy() for item in by])
    number = exp.Window(this=call("ROW_NUMBER"), order=order, over="OVER")
    before = comes_before(by, keys, keys_of(FIRST, by))
    numbers: list[exp.Expr] = [alias(in_order(number, layout), POSITION), alias(_how_many(before), PRIOR)]
    if LAST in bounds:
        numbers.append(alias(_how_many(exp.Not(this=comes_before(by, keys_of(LAST, by), keys))), THROUGH))
    return numbers


def _how_many(condition: exp.Expr) -> exp.Window:
    return exp.Window(this=exp.Sum(this=case(condition, integer(1), integer(0))), over="OVER")


def _is_within(layout: Series) -> exp.Expr:
    """Whether a row of the range gets new window values; the others are only read by them."""
    bounds = _bounds_of_values(layout)
    if not bounds:
        return exp.true()
    first = exp.Sub(this=column(PRIOR), expression=integer(layout.ahead))
    conditions: list[exp.Expr] = [exp.GT(this=column(POSITION), expression=first)]
    if LAST in bounds:
        last = exp.Add(this=column(THROUGH), expression=integer(layout.back))
        conditions.append(exp.LTE(this=column(POSITION), expression=last))
    both = all_of(conditions)
    assert both is not None
    return both
