"""Positions of rows in an order, given by the values the rows are ordered by."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from trickle.sql.build import (
    alias,
    all_of,
    any_of,
    column,
    identifier,
    integer,
    not_null,
    same,
    subquery,
    union_all,
)

KEY = "__trickle_key"
Order = Sequence[exp.Ordered]


def edge(by: Order, stored: exp.Query, changed: str, outer: str, around: int) -> list[tuple[str, exp.Query]]:
    """The first changed position, and the position of the row `around` rows before it."""
    change_keys = with_keys(cte("changed"), by)
    first = first_positions(by, subquery(change_keys, "moved"), keys_of(KEY, by), changed, 1)
    if not around:
        return [(changed, first), (outer, renamed(changed, outer, by))]
    before = exp.Select(expressions=[column(name) for name in keys_of(KEY, by)])
    before = before.from_(subquery(stored.copy(), "stored"), copy=False)
    before.append("joins", exp.Join(this=cte(changed), kind="CROSS"))
    before.set("where", exp.Where(this=comes_before(by, keys_of(KEY, by), keys_of(changed, by))))
    nearest = first_positions(
        [backwards(item) for item in by], subquery(before, "before"), keys_of(KEY, by), outer, around
    )
    own = renamed(changed, outer, by)
    together = union_all([own, exp.Select(expressions=[exp.Star()]).from_(subquery(nearest, "nearest"), copy=False)])
    return [(changed, first), (outer, first_positions(by, subquery(together, "places"), keys_of(outer, by), outer, 1))]


def first_positions(by: Order, relation: exp.Expr, names: Sequence[str], renamed: str, rows: int) -> exp.Select:
    """The first rows of a relation by its keys."""
    items = [alias(column(name), new) for name, new in zip(names, keys_of(renamed, by))]
    query = exp.Select(expressions=[column(name) for name in names]).from_(relation, copy=False)
    query.set("order", exp.Order(expressions=[_ordered(item, name) for item, name in zip(by, names)]))
    query.set("limit", exp.Limit(expression=integer(rows)))
    return exp.Select(expressions=items).from_(subquery(query, "ordered"), copy=False)


def renamed(bound: str, other: str, by: Order) -> exp.Select:
    items = [alias(column(name), new) for name, new in zip(keys_of(bound, by), keys_of(other, by))]
    return exp.Select(expressions=items).from_(cte(bound), copy=False)


def with_keys(relation: exp.Expr, by: Order) -> exp.Select:
    """A relation with its ORDER BY expressions as columns."""
    keys = [alias(item.this.copy(), name) for item, name in zip(by, keys_of(KEY, by))]
    return exp.Select(expressions=[exp.Star(), *keys]).from_(relation, copy=False)


def keys_of(prefix: str, by: Order) -> list[str]:
    """The columns that hold a position."""
    return [f"{prefix}_{number}" for number in range(1, len(by) + 1)]


def comes_before(by: Order, left: Sequence[str], other: Sequence[str]) -> exp.Expr:
    """Whether one position of the order comes before another; rows that tie do not."""
    terms: list[exp.Expr] = []
    for index, item in enumerate(by):
        equal = [same(column(left[earlier]), column(other[earlier])) for earlier in range(index)]
        here = all_of([*equal, _less(item, column(left[index]), column(other[index]))])
        assert here is not None
        terms.append(exp.Paren(this=here) if index else here)
    together = any_of(terms)
    assert together is not None
    return exp.Coalesce(this=together, expressions=[exp.false()])


def _less(item: exp.Ordered, left: exp.Expr, other: exp.Expr) -> exp.Expr:
    kind = exp.GT if item.args.get("desc") else exp.LT
    null, present = (left, other) if item.args.get("nulls_first") else (other, left)
    is_null = exp.Is(this=null.copy(), expression=exp.Null())
    nulls = exp.And(this=is_null, expression=not_null(present.copy()))
    return exp.Or(this=kind(this=left, expression=other), expression=exp.Paren(this=nulls))


def _ordered(item: exp.Ordered, name: str) -> exp.Ordered:
    return exp.Ordered(
        this=column(name), desc=bool(item.args.get("desc")), nulls_first=bool(item.args.get("nulls_first"))
    )


def backwards(item: exp.Ordered) -> exp.Ordered:
    """The same key in the opposite direction."""
    down, first = bool(item.args.get("desc")), bool(item.args.get("nulls_first"))
    return exp.Ordered(this=item.this.copy(), desc=not down, nulls_first=not first)


def cte(name: str) -> exp.Table:
    """A CTE of the same statement."""
    return exp.Table(this=identifier(name))
