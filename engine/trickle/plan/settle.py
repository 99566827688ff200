"""Aggregates that Spark answers in one of several ways, told which: collected values in their order, ties by value."""

from __future__ import annotations

from sqlglot import exp

from trickle.sql.build import call, case, not_null

COLLECTING = frozenset({"collect_list", "collect_set", "array_agg"})
"""They answer an array in the order in which rows happened to come: it is sorted."""


def settled(measure: exp.Expr) -> exp.Expr:
    """The measure as it is computed; the same tree where there is nothing to settle."""
    inner = measure.this if isinstance(measure, exp.Filter) else measure
    name = str(inner.name).lower() if isinstance(inner, exp.Anonymous) else ""
    match inner:
        case exp.Anonymous() if name in COLLECTING:
            return call("SORT_ARRAY", measure.copy())
        case exp.Anonymous() if name == "mode" and len(inner.expressions) == 1:
            return _inside(measure, call("MODE", inner.expressions[0].copy(), exp.true()))
        case exp.ArgMax() | exp.ArgMin() if not isinstance(inner.this, exp.Distinct):
            return _inside(measure, type(inner)(this=inner.this.copy(), expression=_with_tie_key(inner)))
        case _:
            return measure


def is_settled(measure: exp.Expr) -> bool:
    """Whether the user's own text might answer otherwise."""
    return settled(measure) is not measure


def _with_tie_key(inner: exp.ArgMax | exp.ArgMin) -> exp.Expr:
    """(order, value): of rows that tie the greatest or least value is taken. Rows without an order stay out."""
    order = inner.expression
    both = call("STRUCT", order.copy(), inner.this.copy())
    return case(not_null(order.copy()), both, exp.Null())


def _inside(measure: exp.Expr, inner: exp.Expr) -> exp.Expr:
    if isinstance(measure, exp.Filter):
        return exp.Filter(this=inner, expression=measure.expression.copy())
    return inner
