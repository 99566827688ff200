"""Groups: one row per group, with the states its aggregates need. Groups that HAVING hides are stored with count 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintained import State
from trickle.apply.merge_by_key import offer_merge_by_key
from trickle.apply.overwrite_groups import offer_overwrite_groups
from trickle.apply.replace_groups import offer_replace_groups, recomputed_groups
from trickle.apply.state_changes import state_changes
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import Target
from trickle.catalog.reads import copies
from trickle.layouts.check import IMPOSSIBLE, UNFOLLOWED, StoredState, comparable
from trickle.layouts.layout import Layout
from trickle.layouts.measures import Measure, grouping_of, measured
from trickle.layouts.split_projections import split_projections
from trickle.operators import Aggregate, Project
from trickle.options import FloatSums
from trickle.plan.change import Change
from trickle.plan.expression_types import expression_type
from trickle.plan.hidden_columns import COUNT, HIDDEN, KIND, ROWS
from trickle.plan.op import Op
from trickle.plan.ranges import ColumnStatistics
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import Column, Schema
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.build import alias, all_of, case, cast, column, integer, same
from trickle.types import can_be_stored


@dataclass(frozen=True)
class StoredRecursionRows:
    """Stored groups that are the rows of a recursion inside the view: its change is joined with them."""

    name: str
    columns: tuple[tuple[str, str], ...]
    """Column of the relation → key of the grouping."""
    kind: Optional[int] = None
    """Their value of the key KIND; None where the storage holds nothing else."""


@dataclass(frozen=True)
class Groups(Layout):
    """The groups below a view's last projections and filters."""

    columns: Schema
    aggregate: Aggregate
    outputs: tuple[Named, ...]
    """Visible column → expression over the aggregate's keys and measures."""
    condition: Optional[Scalar]
    """The condition under which a group is shown; over keys and measures."""
    measures: tuple[Measure, ...]
    repeats: bool = False
    """Whether a group is shown as often as it has rows, instead of once: then it stands for equal rows of a bag."""
    stored_recursions: tuple[StoredRecursionRows, ...] = ()

    @cached_property
    def key_columns(self) -> Mapping[str, str]:
        """Key of the aggregate → stored column: the visible column that shows it, or a hidden one."""
        shown = {item.value.column_name: item.name for item in reversed(self.outputs)}
        names = enumerate((key.name for key in self.aggregate.keys), 1)
        return {name: shown.get(name) or f"{HIDDEN}key_{number}" for number, name in names}

    @cached_property
    def hidden_keys(self) -> Mapping[str, str]:
        """The keys that no visible column shows."""
        return {key: stored for key, stored in self.key_columns.items() if stored.startswith(HIDDEN)}

    @cached_property
    def key_types(self) -> Mapping[str, str]:
        """Key of the aggregate → its type: Spark's own answer where the key is shown."""
        shown = {visible.name: visible.type for visible in self.columns}
        return {
            key: shown.get(stored) or self.aggregate.schema.type_of(key) for key, stored in self.key_columns.items()
        }

    @property
    def algebraic(self) -> bool:
        """Whether every measure has an algebraic form for some changes."""
        return all(measure.maintained is not None for measure in self.measures)

    @property
    def only_for_inserts(self) -> bool:
        """Whether the algebraic form holds only while nothing is removed."""
        return any(measure.maintained is not None and measure.maintained.only_for_inserts for measure in self.measures)

    def takes(self, only_adds: bool) -> bool:
        """Whether every stored state can take a change of this kind."""
        return self.algebraic and (only_adds or not self.only_for_inserts)

    @cached_property
    def states(self) -> tuple[tuple[str, State], ...]:
        """Hidden state columns in stored order. Without a full algebraic form none is stored."""
        if not self.algebraic:
            return ()
        return tuple(
            (measure.state_name(state), state)
            for measure in self.measures
            if measure.maintained is not None
            for state in measure.maintained.states
        )

    @property
    def stored(self) -> tuple[str, ...]:
        states = tuple(name for name, _ in self.states)
        return (*self.columns.names, COUNT, *self.hidden_keys.values(), ROWS, *states)

    def finished(
        self, keys: Mapping[str, exp.Expr], states: Mapping[str, exp.Expr], rows: exp.Expr
    ) -> dict[str, exp.Expr]:
        """Every visible column and the count, from the trees of a group's keys, states and number of rows."""
        values: dict[str, Scalar] = {name: Scalar(tree) for name, tree in keys.items()}
        for measure in self.measures:
            assert measure.maintained is not None
            parts = tuple(states[measure.state_name(state)].copy() for state in measure.maintained.states)
            values[measure.name] = Scalar(measure.maintained.finish(parts))
        return self.visible(values, rows)

    def visible(self, values: Mapping[str, Scalar], rows: exp.Expr) -> dict[str, exp.Expr]:
        """Visible columns and the count over given keys and measures. What HAVING hides is not computed."""
        shown = self.condition.over(values).tree_copy() if self.condition is not None else None
        trees: dict[str, exp.Expr] = {}
        for item in self.outputs:
            tree = item.value.over(values).tree_copy()
            guarded = shown is not None and item.value.column_name not in self.key_columns
            trees[item.name] = case(shown.copy(), tree, exp.Null()) if guarded and shown is not None else tree
        times = cast(rows.copy() if self.repeats else integer(1), "bigint")
        trees[COUNT] = times if shown is None else case(shown, times, cast(integer(0), "bigint"))
        return trees

    @property
    def state_columns(self) -> tuple[str, ...]:
        """What is stored of a group itself: everything but how often it is shown."""
        return tuple(name for name in self.stored if name != COUNT)

    @property
    def identified_by_keys(self) -> tuple[str, ...]:
        return tuple(self.key_columns.values())

    @property
    def holds_recursions(self) -> bool:
        return bool(self.stored_recursions)

    def maintained(self, plan: Op) -> Op:
        return self.aggregate.child

    def rows_of(self, child: Op) -> Op:
        """The stored rows of every group of `child`: what a first build writes, and what recomputing a group gives."""
        aggregate = self.aggregate
        if self.algebraic:
            calls = tuple(Named(name, Scalar(state.initial)) for name, state in self.states)
        else:
            calls = aggregate.measures
        rows = Named(ROWS, Scalar(exp.Count(this=exp.Star())))
        grouped = Aggregate(child, aggregate.keys, (rows, *calls))
        keys: dict[str, exp.Expr] = {key.name: column(key.name) for key in aggregate.keys}
        if self.algebraic:
            trees = self.finished(keys, {name: column(name) for name, _ in self.states}, column(ROWS))
        else:
            trees = self.visible({name: column_scalar(name) for name in aggregate.schema.names}, column(ROWS))
        hidden = {stored: column(key) for key, stored in self.hidden_keys.items()}
        states = {name: column(name) for name, _ in self.states}
        every = {**trees, **hidden, ROWS: column(ROWS), **states}
        return Project(grouped, tuple(Named(name, Scalar(every[name])) for name in self.stored))

    def fill(self, binding: Binding, result: Callable[[], exp.Expr]) -> exp.Query:
        return render(self.rows_of(self.aggregate.child), binding)

    def strategies(self, given: StrategyInput) -> tuple[Strategy, ...]:
        again = given.estimate(recomputed_groups(given.change, self, given.binding.statistics))
        replaced = offer_replace_groups(given, self, again)
        changed_states = state_changes(given, self)
        if changed_states is None:
            return (replaced,)
        return (
            replaced,
            offer_merge_by_key(given, self, changed_states, again.rows),
            offer_overwrite_groups(given, self, changed_states),
        )

    @property
    def general_strategy(self) -> str:
        return "merge_by_key" if self.takes(only_adds=False) else "replace_groups"

    def read_again(self, change: Change, statistics: Mapping[str, ColumnStatistics]) -> tuple[Op, ...]:
        return () if self.takes(only_adds=False) else (recomputed_groups(change, self, statistics),)

    def inner_relations(self, target: Target) -> Mapping[str, exp.Expr]:
        return {rows.name: exp.Subquery(this=self._recursion(target, rows)) for rows in self.stored_recursions}

    def _recursion(self, target: Target, rows: StoredRecursionRows) -> exp.Select:
        items = [alias(column(self.key_columns[key]), name) for name, key in rows.columns]
        query = exp.Select(expressions=items).from_(target.stored(), copy=False)
        if rows.kind is not None:
            own = exp.EQ(this=column(self.key_columns[KIND]), expression=integer(rows.kind))
            query.set("where", exp.Where(this=own))
        query.append("laterals", copies(column(ROWS)))
        return query

    def problems(self, state: StoredState) -> list[exp.Query]:
        """Every group is stored with the states that grouping anew gives, and its visible columns follow from them."""
        least = integer(1 if self.aggregate.keys else 0)
        possible = exp.And(
            this=exp.Between(this=column(COUNT), low=integer(0), high=column(ROWS) if self.repeats else integer(1)),
            expression=exp.GTE(this=column(ROWS), expression=least),
        )
        plan = self.rows_of(self.aggregate.child)
        types = {own.name: own.type for own in (*plan.schema, *self.columns)}
        rows = state.rows([Column(name, types[name]) for name in self.stored])
        queries = [
            rows.unless(possible, IMPOSSIBLE, state.relation),
            *state.differences(render(plan, state.sources), rows),
        ]
        if self.algebraic:
            queries.append(rows.unless(self._follows(state.summed), UNFOLLOWED, state.relation))
        return queries

    def _follows(self, summed: bool) -> exp.Expr:
        """visible = finish(states), for every visible column and the count."""
        keys: dict[str, exp.Expr] = {key: column(stored) for key, stored in self.key_columns.items()}
        finished = self.finished(keys, {name: column(name) for name, _ in self.states}, column(ROWS))

        def computed(own: Column) -> exp.Expr:
            return cast(finished[own.name], own.type) if own.type else finished[own.name]

        together = all_of(
            same(comparable(column(own.name), own, summed), comparable(computed(own), own, summed))
            for own in (*self.columns, Column(COUNT, "bigint"))
        )
        assert together is not None
        return together


def groups_of(root: Op, visible: Schema, floats: FloatSums) -> Optional[Groups]:
    """The layout of a plan in which only projections and filters stand above a grouping."""
    split = split_projections(root)
    aggregate = grouping_of(split.base)
    if aggregate is None:
        return None
    named = tuple(Named(name, value) for name, value in zip(visible.names, split.outputs))
    types = {own.name: own.type for own in aggregate.child.schema}
    shown = {item.value.column_name for item in named}
    hidden = (expression_type(key.value.tree, types) for key in aggregate.keys if key.name not in shown)
    if not all(can_be_stored(kind) for kind in hidden):
        return None
    return Groups(visible, aggregate, named, split.condition, measured(aggregate, floats))
