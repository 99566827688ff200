"""Aggregates that Spark answers in one of several ways: of the right answers always the same one is chosen.

Which one is a fact of the function (`ties` in its record); this module writes the expression that gives it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from typing_extensions import assert_never

from trickle.functions import Ties, facts_of
from trickle.sql.build import call, case, integer, not_null, string
from trickle.sql.text import to_line

ACCURACY = 1_000_000
"""A percentile is approximated the same way for the same rows as long as there are half as many of them as this."""
WRAPPERS = (exp.IgnoreNulls, exp.RespectNulls, exp.Filter, exp.WithinGroup)
"""Clauses around a call: FILTER (…), WITHIN GROUP (…), IGNORE NULLS."""


def called(tree: exp.Expr) -> exp.Expr:
    """The call itself, without the clauses around it."""
    while isinstance(tree, WRAPPERS):
        tree = tree.this
    return tree


def arguments(inner: exp.Expr) -> list[exp.Expr]:
    """The arguments of a call by name, DISTINCT or not."""
    given = list(inner.expressions)
    return list(given[0].expressions) if len(given) == 1 and isinstance(given[0], exp.Distinct) else given


def made_deterministic(measure: exp.Expr) -> exp.Expr:
    """The measure as it is computed; the same tree where it has one right answer."""
    inner = called(measure)
    ties = facts_of(str(inner.name).lower()).ties if isinstance(inner, exp.Anonymous) else None
    match ties:
        case Ties.SORTED:
            return call("SORT_ARRAY", measure.copy())
        case Ties.LEAST:
            return _filtered(measure, exp.Min(this=_value(inner)))
        case Ties.GREATEST:
            return _filtered(measure, exp.Max(this=_value(inner)))
        case Ties.PAIRED:
            return _filtered(measure, _without_ties(inner))
        case Ties.LEAST_MODE:
            return _mode(measure, inner)
        case Ties.FINER:
            return _finer(measure, inner)
        case Ties.LISTED:
            return _listed(measure, inner)
        case None | Ties.SHARED | Ties.BY_ROW | Ties.NTH:
            return measure
        case _:
            assert_never(ties)


def is_made_deterministic(measure: exp.Expr) -> bool:
    """Whether the user's own text might give another answer."""
    return made_deterministic(measure) is not measure


def _value(inner: exp.Expr) -> exp.Expr:
    value = arguments(inner)[0]
    return (value.this if isinstance(value, exp.IgnoreNulls) else value).copy()


def _without_ties(inner: exp.Expr) -> exp.Expr:
    """MAX_BY(value, (order, value)[, how many]). Rows without an order stay out, and equal pairs change nothing."""
    value, order, *more = arguments(inner)
    both = call("STRUCT", order.copy(), value.copy())
    key = case(not_null(order.copy()), both, exp.Null())
    return call(str(inner.this), value.copy(), key, *(rest.copy() for rest in more))


def _mode(measure: exp.Expr, inner: exp.Expr) -> exp.Expr:
    """MODE(x, TRUE): of the most frequent values the least. MODE() WITHIN GROUP has an order of its own."""
    given = inner.expressions
    if not given or (len(given) == 2 and isinstance(given[1], exp.Boolean) and given[1].this):
        return measure
    return _filtered(measure, call("MODE", given[0].copy(), exp.true()))


def _finer(measure: exp.Expr, inner: exp.Expr) -> exp.Expr:
    """A percentile so fine that it does not depend on the order of up to half a million rows."""
    value, share, *accuracy = arguments(inner)
    finer: exp.Expr = integer(ACCURACY)
    if accuracy:
        finer = call("GREATEST", accuracy[0].copy(), finer)
    return _filtered(measure, _like(inner, [value.copy(), share.copy(), finer]))


def _listed(measure: exp.Expr, inner: exp.Expr) -> exp.Expr:
    """WITHIN GROUP (ORDER BY the user's order, then the text). With DISTINCT the user's order can only be the text."""
    within = next((clause for clause in _around(measure) if isinstance(clause, exp.WithinGroup)), None)
    if within is None and is_distinct(inner):
        return _listed_once(measure, inner)
    value = arguments(inner)[0]
    items = [] if within is None else list(within.expression.expressions)
    if any(to_line(item.this) == to_line(value) for item in items):
        return measure
    own = exp.Ordered(this=value.copy(), nulls_first=True)
    order = exp.Order(expressions=[*(item.copy() for item in items), own])
    return _filtered(measure, exp.WithinGroup(this=inner.copy(), expression=order))


def _listed_once(measure: exp.Expr, inner: exp.Expr) -> exp.Expr:
    """The set, sorted and joined; NULL where there is none.

    Spark 4.2 fails to plan LISTAGG(DISTINCT …) WITHIN GROUP in a query with any other DISTINCT.
    """
    value, *separator = arguments(inner)
    texts = call("SORT_ARRAY", _filtered(measure, call("COLLECT_SET", value.copy())))
    joined = call("ARRAY_JOIN", texts, separator[0].copy() if separator else string(""))
    some = exp.GT(this=_filtered(measure, exp.Count(this=value.copy())), expression=integer(0))
    return case(some, joined, exp.Null())


def is_distinct(inner: exp.Expr) -> bool:
    """Whether a call by name is of DISTINCT values."""
    return bool(inner.expressions) and isinstance(inner.expressions[0], exp.Distinct)


def _like(inner: exp.Expr, given: Sequence[exp.Expr]) -> exp.Expr:
    """The same call of other arguments, DISTINCT if it was."""
    return call(str(inner.this), *([exp.Distinct(expressions=list(given))] if is_distinct(inner) else given))


def _filtered(measure: exp.Expr, inner: exp.Expr) -> exp.Expr:
    """The new call under the old one's FILTER."""
    own = next((clause for clause in _around(measure) if isinstance(clause, exp.Filter)), None)
    return inner if own is None else exp.Filter(this=inner, expression=own.expression.copy())


def _around(measure: exp.Expr) -> list[exp.Expr]:
    """The clauses around a call, the outermost first."""
    clauses: list[exp.Expr] = []
    while isinstance(measure, WRAPPERS):
        clauses.append(measure)
        measure = measure.this
    return clauses
