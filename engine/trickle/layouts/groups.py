"""What must be stored so that a view can be maintained: its layout, decided once, when the view is compiled.

Bag     one row per row of the result (equal rows may share a count)
Groups  one row per group, with the states its aggregates need; groups that HAVING hides are kept with count 0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintain import maintain
from trickle.aggregates.maintained import Maintained, State
from trickle.layouts.split_projections import split_projections
from trickle.operators import Aggregate, Distinct, Project
from trickle.options import FloatSums
from trickle.plan.expression_types import expression_type
from trickle.plan.make_deterministic import made_deterministic
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import Schema
from trickle.sql.build import case, cast, column, integer
from trickle.types import can_be_stored

HIDDEN = "__trickle_"
COUNT = f"{HIDDEN}count"
"""How often users see the row: the facade repeats it that often."""
ROWS = f"{HIDDEN}rows"
"""How many input rows a group has."""


@dataclass(frozen=True)
class Bag:
    """The result's own rows."""

    columns: Schema

    @property
    def stored(self) -> tuple[str, ...]:
        return (*self.columns.names, COUNT)


@dataclass(frozen=True)
class Measure:
    """An aggregate call of a grouping and its algebraic form, if it has one."""

    name: str
    call: Scalar
    maintained: Optional[Maintained]

    def state_name(self, state: State) -> str:
        return f"{HIDDEN}{self.name}_{state.suffix}"


@dataclass(frozen=True)
class StoredRecursionRows:
    """Stored groups that are the rows of a relation inside the view: a recursion reads its own rows as they were."""

    name: str
    columns: tuple[tuple[str, str], ...]
    """Column of the relation → key of the grouping."""
    kind: Optional[int] = None
    """What the key KIND says of them; None where the storage holds nothing else."""


@dataclass(frozen=True)
class Groups:
    """The groups below a view's last projections and filters."""

    columns: Schema
    aggregate: Aggregate
    outputs: tuple[Named, ...]
    """Visible column → expression over the aggregate's keys and measures."""
    condition: Optional[Scalar]
    """What a group must fulfil to be seen; over keys and measures."""
    measures: tuple[Measure, ...]
    repeats: bool = False
    """Whether a group is shown as often as it has rows, instead of once: then it stands for equal rows of a bag."""
    kept: tuple[StoredRecursionRows, ...] = ()

    @cached_property
    def key_columns(self) -> Mapping[str, str]:
        """Key of the aggregate → stored column: the visible column that shows it, or a hidden one."""
        shown = {item.value.column_name: item.name for item in reversed(self.outputs)}
        names = enumerate(key.name for key in self.aggregate.keys)
        return {name: shown.get(name) or f"{HIDDEN}key_{place + 1}" for place, name in names}

    @cached_property
    def hidden_keys(self) -> Mapping[str, str]:
        """The keys that no visible column shows."""
        return {key: stored for key, stored in self.key_columns.items() if stored.startswith(HIDDEN)}

    @cached_property
    def key_types(self) -> Mapping[str, str]:
        """Key of the aggregate → its type: Spark's own answer where the key is shown."""
        told = {one.name: one.type for one in self.columns}
        return {key: told.get(stored) or self.aggregate.schema.type_of(key) for key, stored in self.key_columns.items()}

    @property
    def algebraic(self) -> bool:
        """Whether every measure has an algebraic form for some changes."""
        return all(measure.maintained is not None for measure in self.measures)

    @property
    def only_for_inserts(self) -> bool:
        """Whether the algebraic form holds only while nothing is removed."""
        return any(measure.maintained is not None and measure.maintained.only_for_inserts for measure in self.measures)

    @cached_property
    def states(self) -> tuple[tuple[str, State], ...]:
        """Hidden state columns in stored order. Without a full algebraic form none is kept."""
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
        """Every visible column and the count, from the trees that hold a group's keys, states and number of rows."""
        values: dict[str, Scalar] = {name: Scalar(tree) for name, tree in keys.items()}
        for measure in self.measures:
            assert measure.maintained is not None
            parts = tuple(states[measure.state_name(state)].copy() for state in measure.maintained.states)
            values[measure.name] = Scalar(measure.maintained.finish(parts))
        return self.visible(values, rows)

    def visible(self, values: Mapping[str, Scalar], rows: exp.Expr) -> dict[str, exp.Expr]:
        """Visible columns and the count over given keys and measures. What HAVING hides is not computed."""
        shown = self.condition.over(values).place() if self.condition is not None else None
        trees: dict[str, exp.Expr] = {}
        for item in self.outputs:
            tree = item.value.over(values).place()
            guarded = shown is not None and item.value.column_name not in self.key_columns
            trees[item.name] = case(shown.copy(), tree, exp.Null()) if guarded and shown is not None else tree
        one = cast(rows.copy() if self.repeats else integer(1), "bigint")
        trees[COUNT] = one if shown is None else case(shown, one, cast(integer(0), "bigint"))
        return trees


def groups_of(root: Op, visible: Schema, floats: FloatSums) -> Optional[Groups]:
    """The layout of a plan in which only projections and filters stand above a grouping."""
    peeled = split_projections(root)
    aggregate = grouping_of(peeled.base)
    if aggregate is None:
        return None
    named = tuple(Named(name, value) for name, value in zip(visible.names, peeled.outputs))
    types = {one.name: one.type for one in aggregate.child.schema}
    shown = {item.value.column_name for item in named}
    hidden = (expression_type(key.value.tree, types) for key in aggregate.keys if key.name not in shown)
    if not all(can_be_stored(kind) for kind in hidden):
        return None
    return Groups(visible, aggregate, named, peeled.condition, measured(aggregate, floats))


def measured(aggregate: Aggregate, floats: FloatSums) -> tuple[Measure, ...]:
    """The calls of a grouping with their algebraic forms."""
    types = {one.name: one.type for one in aggregate.child.schema}
    return tuple(
        Measure(item.name, item.value, maintain(made_deterministic(item.value.tree), types, floats))
        for item in aggregate.measures
    )


def grouping_of(base: Op) -> Optional[Aggregate]:
    """A grouping, or a DISTINCT as the grouping without aggregates that it is."""
    match base:
        case Aggregate():
            return base
        case Distinct():
            return Aggregate(base.child, tuple(Named(name, column_scalar(name)) for name in base.schema.names), ())
        case _:
            return None


def initial_plan(layout: Groups, child: Op) -> Op:
    """The stored rows of every group of `child`: what a first build writes, and what recomputing a group gives."""
    aggregate = layout.aggregate
    if layout.algebraic:
        calls = tuple(Named(name, Scalar(state.initial)) for name, state in layout.states)
    else:
        calls = aggregate.measures
    rows = Named(ROWS, Scalar(exp.Count(this=exp.Star())))
    grouped = Aggregate(child, aggregate.keys, (rows, *calls))
    keys: dict[str, exp.Expr] = {key.name: column(key.name) for key in aggregate.keys}
    if layout.algebraic:
        trees = layout.finished(keys, {name: column(name) for name, _ in layout.states}, column(ROWS))
    else:
        trees = layout.visible({name: column_scalar(name) for name in aggregate.schema.names}, column(ROWS))
    hidden = {stored: column(key) for key, stored in layout.hidden_keys.items()}
    states = {name: column(name) for name, _ in layout.states}
    every = {**trees, **hidden, ROWS: column(ROWS), **states}
    return Project(grouped, tuple(Named(name, Scalar(every[name])) for name in layout.stored))
