"""replace_stretch: the stored rows from the first changed place of an order on, answered again and put in their place.

Where rows only look at their neighbours, the stretch ends as many rows after the last changed place.
"""

from __future__ import annotations

from sqlglot import exp

from trickle.apply.order_positions import KEY, backwards, comes_before, cte, edge, keys_of, with_keys
from trickle.apply.target import CHANGES, TARGET, Target
from trickle.apply.whole_series import COPIES, changed_rows, counted, each_by_itself, finished, in_order
from trickle.layouts.series import TWIN, Series
from trickle.plan.comparable import all_same
from trickle.plan.op import Op
from trickle.render.reads import Binding
from trickle.sql.build import (
    alias,
    all_of,
    call,
    case,
    column,
    identifier,
    integer,
    same,
    subquery,
    table,
    union_all,
)

FIRST, LAST, START, FINISH = "first", "last", "start", "finish"
PLACE = "__trickle_place"
PRIOR, THROUGH, WITHIN, GONE = "__trickle_prior", "__trickle_through", "__trickle_within", "__trickle_gone"


def replace_range(delta: Op, layout: Series, target: Target, binding: Binding) -> exp.Expr:
    """MERGE ON the whole row: gone → DELETE, other answers → UPDATE, new → INSERT; equal rows are not in its source."""
    keys = layout.identity
    rest = [name for name in layout.stored if name not in keys]
    gone = column(GONE, CHANGES)
    assignments = [exp.EQ(this=column(name), expression=column(name, CHANGES)) for name in rest]
    insert = exp.Insert(
        this=exp.Tuple(expressions=[column(name) for name in layout.stored]),
        expression=exp.Tuple(expressions=[column(name, CHANGES) for name in layout.stored]),
    )
    whens = [
        exp.When(matched=True, condition=gone, then=exp.Var(this="DELETE")),
        exp.When(matched=True, then=exp.Update(expressions=assignments)),
        exp.When(matched=False, condition=exp.Not(this=gone.copy()), then=insert),
    ]
    return exp.Merge(
        this=table(target.storage, TARGET),
        using=subquery(_differences(delta, layout, target, binding), CHANGES),
        on=all_same(layout.identified_by, TARGET, CHANGES),
        whens=exp.Whens(expressions=whens),
    )


def extend(delta: Op, layout: Series, target: Target, binding: Binding) -> exp.Expr:
    """INSERT the rows that came with their answers: right where all of them stand behind those that are stored."""
    query = exp.Select(expressions=[column(name) for name in layout.stored]).from_(cte("fresh"), copy=False)
    query.set("where", exp.Where(this=column(WITHIN)))
    for name, body in _parts(delta, layout, target, binding):
        query = query.with_(identifier(name), as_=body, copy=False)
    columns = exp.Schema(this=target.relation(), expressions=[identifier(name) for name in layout.stored])
    every = exp.Select(expressions=[exp.Star()]).from_(subquery(query, "added"), copy=False)
    return exp.Insert(this=columns, expression=every)


def _differences(delta: Op, layout: Series, target: Target, binding: Binding) -> exp.Query:
    """Each stored row beside the row that takes its place, where they differ."""
    keys = layout.identity
    rest = [name for name in layout.stored if name not in keys]
    new, old = "fresh", "held"
    items: list[exp.Expr] = [
        alias(exp.Coalesce(this=column(name, new), expressions=[column(name, old)]), name) for name in keys
    ]
    items += [alias(column(name, new), name) for name in rest]
    gone = exp.Is(this=column(TWIN, new), expression=exp.Null())
    query = exp.Select(expressions=[*items, alias(gone, GONE)]).from_(cte(new), copy=False)
    query.append("joins", exp.Join(this=cte(old), side="FULL", on=all_same(layout.identified_by, new, old)))
    unknown = exp.Is(this=column(TWIN, old), expression=exp.Null())
    equal = all_of(same(column(name, new), column(name, old)) for name in rest)
    assert equal is not None
    other = exp.Or(this=unknown, expression=exp.Not(this=exp.Paren(this=equal)))
    answered = exp.And(this=column(WITHIN, new), expression=exp.Paren(this=other))
    query.set("where", exp.Where(this=exp.Or(this=gone.copy(), expression=exp.Paren(this=answered))))
    for name, body in _parts(delta, layout, target, binding):
        query = query.with_(identifier(name), as_=body, copy=False)
    return query


def _parts(delta: Op, layout: Series, target: Target, binding: Binding) -> list[tuple[str, exp.Query]]:
    """What the difference is made of, by name, in reading order."""
    stored = with_keys(target.relation(), layout.by)
    parts = [("changed", changed_rows(delta, layout, binding)), *_bounds(layout, stored)]
    held = exp.Select(expressions=[column(name) for name in layout.stored]).from_(
        subquery(stored, "stored"), copy=False
    )
    earlier: exp.Query | None = None
    if layout.by:
        _between(held, layout)
        earlier = _earlier(layout, stored)
    names = layout.input.schema.names
    kept = exp.Select(expressions=[*(column(name) for name in names), alias(integer(1), COPIES)])
    moved = exp.Select(expressions=[exp.Star()]).from_(cte("changed"), copy=False)
    both = union_all([kept.from_(cte("held"), copy=False), moved])
    rows = each_by_itself(counted(layout, both, target))
    parts += [("held", held)]
    if earlier is not None:
        parts += [("earlier", earlier)]
    parts += [("rows", rows), ("answered", _answered(layout, earlier is not None))]
    fresh = exp.Select(expressions=[*finished(layout), alias(_is_within(layout), WITHIN)])
    return [*parts, ("fresh", fresh.from_(cte("answered"), copy=False))]


def _bounds(layout: Series, stored: exp.Query) -> list[tuple[str, exp.Query]]:
    """Between which places of the order rows are answered again, and from which to which they are looked at."""
    if not layout.by:
        return []
    around = layout.back + layout.ahead
    found = edge(layout.by, stored, FIRST, START, around)
    if not layout.goes_on:
        found += edge([backwards(item) for item in layout.by], stored, LAST, FINISH, around)
    return found


def _between(held: exp.Select, layout: Series) -> None:
    """From the start of the stretch on, to its end if it has one."""
    held.append("joins", exp.Join(this=cte(START), kind="CROSS"))
    keys = keys_of(KEY, layout.by)
    conditions: list[exp.Expr] = [exp.Not(this=comes_before(layout.by, keys, keys_of(START, layout.by)))]
    if not layout.goes_on:
        held.append("joins", exp.Join(this=cte(FINISH), kind="CROSS"))
        conditions.append(exp.Not(this=comes_before(layout.by, keys_of(FINISH, layout.by), keys)))
    held.set("where", exp.Where(this=all_of(conditions)))


def _earlier(layout: Series, stored: exp.Query) -> exp.Query | None:
    """What the calls need of the rows before the stretch: one row."""
    items = [alias(one.value.place(), one.name) for way in layout.ways if way is not None for one in way.earlier]
    if not items:
        return None
    query = exp.Select(expressions=items).from_(subquery(stored.copy(), "stored"), copy=False)
    query.append("joins", exp.Join(this=cte(START), kind="CROSS"))
    before = comes_before(layout.by, keys_of(KEY, layout.by), keys_of(START, layout.by))
    query.set("where", exp.Where(this=before))
    return query


def _answered(layout: Series, resumes: bool) -> exp.Select:
    """The rows of the stretch with their answers, and where in it they stand."""
    ways = [(call, way) for call, way in zip(layout.calls, layout.ways)]
    trees = [call.value.tree if way is None or not layout.by else way.answer for call, way in ways]
    items: list[exp.Expr] = [column(name) for name in layout.identity]
    items += [alias(in_order(tree, layout), call.name) for tree, (call, _) in zip(trees, ways)]
    query = exp.Select(expressions=[*items, *_places(layout)])
    query = query.from_(subquery(with_keys(cte("rows"), layout.by), "rows"), copy=False)
    if resumes:
        query.append("joins", exp.Join(this=cte("earlier"), kind="CROSS"))
    for bound in _looked_from(layout):
        query.append("joins", exp.Join(this=cte(bound), kind="CROSS"))
    return query


def _looked_from(layout: Series) -> list[str]:
    """The changed places from which rows are counted, where neighbours are answered again."""
    if not layout.by or not layout.back + layout.ahead:
        return []
    return [FIRST] if layout.goes_on else [FIRST, LAST]


def _places(layout: Series) -> list[exp.Expr]:
    """A row's number in the stretch; how many stand before the first changed place, and before or at the last."""
    bounds = _looked_from(layout)
    if not bounds:
        return []
    by, keys = layout.by, keys_of(KEY, layout.by)
    order = exp.Order(expressions=[item.copy() for item in by])
    number = exp.Window(this=call("ROW_NUMBER"), order=order, over="OVER")
    before = comes_before(by, keys, keys_of(FIRST, by))
    found: list[exp.Expr] = [alias(in_order(number, layout), PLACE), alias(_how_many(before), PRIOR)]
    if LAST in bounds:
        found.append(alias(_how_many(exp.Not(this=comes_before(by, keys_of(LAST, by), keys))), THROUGH))
    return found


def _how_many(condition: exp.Expr) -> exp.Window:
    return exp.Window(this=exp.Sum(this=case(condition, integer(1), integer(0))), over="OVER")


def _is_within(layout: Series) -> exp.Expr:
    """Whether a row of the stretch is answered again; the others are only looked at."""
    bounds = _looked_from(layout)
    if not bounds:
        return exp.true()
    first = exp.Sub(this=column(PRIOR), expression=integer(layout.ahead))
    conditions: list[exp.Expr] = [exp.GT(this=column(PLACE), expression=first)]
    if LAST in bounds:
        last = exp.Add(this=column(THROUGH), expression=integer(layout.back))
        conditions.append(exp.LTE(this=column(PLACE), expression=last))
    both = all_of(conditions)
    assert both is not None
    return both
