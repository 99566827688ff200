"""Bag: the result's own rows. Equal rows may share a count, or be stored in several rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from trickle.apply.append import offer_append
from trickle.apply.overwrite_rows import offer_overwrite_rows
from trickle.apply.recount import offer_recount
from trickle.apply.strategy import Strategy, StrategyInput, offered
from trickle.catalog.reads import repeated
from trickle.layouts.check import COMPUTED_ONLY, IMPOSSIBLE, STORED_ONLY, StoredState, only
from trickle.layouts.layout import Layout
from trickle.plan.hidden_columns import COUNT
from trickle.plan.op import Op
from trickle.plan.schema import Column, Schema
from trickle.render.reads import Binding
from trickle.sql.build import alias, cast, column, integer, named_columns, subquery


@dataclass(frozen=True)
class Bag(Layout):
    """The result's own rows."""

    columns: Schema

    @property
    def stored(self) -> tuple[str, ...]:
        return (*self.columns.names, COUNT)

    def maintained(self, plan: Op) -> Op:
        return plan

    def fill(self, binding: Binding, result: Callable[[], exp.Expr]) -> exp.Query:
        """Each row of the result, counted once."""
        items = [*(column(name) for name in self.columns.names), alias(cast(integer(1), "bigint"), COUNT)]
        return exp.Select(expressions=items).from_(named_columns(result(), "result", self.columns.names), copy=False)

    def strategies(self, given: StrategyInput) -> tuple[Strategy, ...]:
        return offered(offer_recount(given, self), offer_overwrite_rows(given, self), offer_append(given, self))

    @property
    def general_strategy(self) -> str:
        return "recount"

    def problems(self, state: StoredState) -> list[exp.Query]:
        """A row's only state is its count; how often it is stored is compared over all its copies."""
        rows = state.rows((*self.columns, Column(COUNT, "bigint")))
        possible = exp.GTE(this=column(COUNT), expression=integer(1))
        stored = subquery(repeated(state.target.storage, self.columns.names), "stored")
        computed = named_columns(state.result(), "computed", self.columns.names)
        sides = [
            only(STORED_ONLY, stored, computed, self.columns.columns, rows.summed),
            only(COMPUTED_ONLY, computed, stored, self.columns.columns, rows.summed),
        ]
        return [rows.unless(possible, IMPOSSIBLE, state.relation), *map(_with_count, sides)]


def _with_count(query: exp.Query) -> exp.Query:
    """With NULL as count: of one copy there is none to show."""
    items = [exp.Star(), alias(cast(exp.Null(), "bigint"), COUNT)]
    return exp.Select(expressions=items).from_(subquery(query, "rows"), copy=False)
