"""Parts of the queries that check stored rows: differences of relations, and rows that break a condition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from trickle.apply.target import Target
from trickle.plan.comparable import comparable as comparable_value
from trickle.plan.schema import Column
from trickle.render.reads import Binding
from trickle.sql.build import alias, call, case, cast, column, integer, string, subquery
from trickle.types import has_equality, is_fraction

SIDE = "__trickle_side"
IMPOSSIBLE = "counts that cannot be"
STORED_ONLY, COMPUTED_ONLY = "stored, and not what recomputing gives", "what recomputing gives, and not stored"
UNFOLLOWED = "does not follow from its own states"


@dataclass(frozen=True)
class StoredState:
    """A storage table to be checked, and how its rows are computed anew."""

    target: Target
    sources: Binding
    """How plans read the sources at the recorded versions."""
    result: Callable[[], exp.Expr]
    """The view's own rows at the recorded versions, as a relation."""
    summed: bool
    """Whether the order in which Spark adds may decide last digits."""

    @property
    def relation(self) -> exp.Table:
        return self.target.relation()

    def rows(self, columns: Sequence[Column]) -> CheckedRows:
        return CheckedRows(tuple(columns), self.summed)

    def differences(self, computed: exp.Query, rows: CheckedRows) -> list[exp.Query]:
        """The stored rows and these, where only one of the two has them."""
        recomputed = subquery(computed, "computed")
        return [
            only(STORED_ONLY, self.relation, recomputed, rows.columns, rows.summed),
            only(COMPUTED_ONLY, recomputed, self.relation, rows.columns, rows.summed),
        ]


@dataclass(frozen=True)
class CheckedRows:
    """The stored columns, in the form in which every part of a check selects them."""

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


def only(side: str, left: exp.Expr, right: exp.Expr, columns: Sequence[Column], summed: bool) -> exp.Query:
    """The rows of `left` that `right` lacks, as multisets, and which side that is."""

    def rows(relation: exp.Expr) -> exp.Select:
        items = [alias(comparable(column(own.name), own, summed), own.name) for own in columns]
        return exp.Select(expressions=items).from_(relation.copy(), copy=False)

    difference = exp.Except(this=rows(left), expression=rows(right), distinct=False)
    items = [alias(string(side), SIDE), *(column(own.name) for own in columns)]
    return exp.Select(expressions=items).from_(subquery(difference, "difference"), copy=False)


def comparable(value: exp.Expr, own: Column, summed: bool) -> exp.Expr:
    """A column's value in a form that can be compared.

    FLOAT and DOUBLE of a query that adds things up are compared to twelve digits after the first, because the order in
    which Spark adds decides the last ones.
    """
    if not has_equality(own.parsed_type):
        return comparable_value(value, own.parsed_type)
    if summed and is_fraction(own.parsed_type):
        digits = call(
            "FORMAT_STRING", string("%.12e"), exp.Add(this=cast(value, "double"), expression=cast(integer(0), "double"))
        )
        return case(exp.Is(this=value.copy(), expression=exp.Null()), exp.Null(), digits)
    return value
