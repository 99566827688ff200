"""Summary: groups with their states, and columns computed from all groups: ranks, shares, running totals.

Each stored row is a group with its visible columns. A change is added to the states of the groups it touches, and the
operators above the grouping are computed again from all stored groups: no source is read but for its change. Groups
that a condition hides are stored with count 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Optional

from sqlglot import exp

from trickle.apply.overwrite_summary import GROUPS, offer_overwrite_summary
from trickle.apply.overwrite_touched import offer_overwrite_touched
from trickle.apply.strategy import Strategy, StrategyInput, offered
from trickle.layouts.check import IMPOSSIBLE, StoredState
from trickle.layouts.groups import Groups
from trickle.layouts.layout import Layout
from trickle.layouts.measures import grouping_of, measured
from trickle.operators import Aggregate, Filter, Project, StoredRecursion, TopK, Window
from trickle.options import FloatSums
from trickle.plan.change import Change
from trickle.plan.hidden_columns import COUNT, HIDDEN, ROWS
from trickle.plan.op import Op, rewrite_bottom_up
from trickle.plan.ranges import ColumnStatistics
from trickle.plan.read_class import ReadAgain, ReadClass
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import UNKNOWN, Column, Schema
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.build import all_of, case, cast, column, integer
from trickle.types import can_be_stored, has_equality

SEEN = f"{HIDDEN}seen"
"""Whether every condition so far lets the group pass."""
NUMBER = f"{HIDDEN}row"


@dataclass(frozen=True)
class Summary(Layout):
    """The groups of a grouping, each with its visible columns."""

    columns: Schema
    groups: Groups
    """How a group itself is stored, under hidden names."""
    above: Op
    """Every stored column, over the relation GROUPS."""

    @property
    def stored(self) -> tuple[str, ...]:
        return self.above.schema.names

    def over(self, groups: Op) -> Op:
        """Every stored column, computed from these groups."""
        return rewrite_bottom_up(
            self.above, lambda op: groups if isinstance(op, StoredRecursion) and op.name == GROUPS else op
        )

    def computed(self) -> Op:
        """Every stored column, computed from the sources."""
        return self.over(self.without_count(self.groups.rows_of(self.groups.aggregate.child)))

    def without_count(self, rows: Op) -> Op:
        """The columns of GROUPS alone."""
        return Project(rows, tuple(Named(name, column_scalar(name)) for name in self.groups.state_columns))

    def stored_groups(self) -> StoredRecursion:
        """The groups as they are stored."""
        types = {own.name: own.type for own in self.groups.rows_of(self.groups.aggregate.child).schema}
        columns = tuple(Column(name, types[name]) for name in self.groups.state_columns)
        return StoredRecursion(GROUPS, Schema(columns))

    def maintained(self, plan: Op) -> Op:
        return self.groups.aggregate.child

    def fill(self, binding: Binding, result: Callable[[], exp.Expr]) -> exp.Query:
        return render(self.computed(), binding)

    def strategies(self, given: StrategyInput) -> tuple[Strategy, ...]:
        return offered(offer_overwrite_touched(given, self), offer_overwrite_summary(given, self))

    @property
    def general_strategy(self) -> str:
        return "overwrite" if self.groups.takes(only_adds=False) else "overwrite_touched"

    def read_again(self, change: Change, statistics: Mapping[str, ColumnStatistics]) -> tuple[Op, ...]:
        return self.groups.read_again(change, statistics)

    @property
    def stored_again(self) -> ReadAgain:
        """Of the groups, and not of the rows they were made of."""
        return ReadAgain(ReadClass.BY_CHANGE, "all of its own stored groups")

    def problems(self, state: StoredState) -> list[exp.Query]:
        """Every group is stored with its states and with the visible columns that computing it anew gives."""
        possible = exp.And(
            this=exp.Between(this=column(COUNT), low=integer(0), high=integer(1)),
            expression=exp.GTE(this=column(ROWS), expression=integer(1)),
        )
        plan = self.computed()
        types = {own.name: own.type for own in (*plan.schema, *self.columns)}
        rows = state.rows([Column(name, types[name]) for name in self.stored])
        return [
            rows.unless(possible, IMPOSSIBLE, state.relation),
            *state.differences(render(plan, state.sources), rows),
        ]


def summary_of(root: Op, visible: Schema, floats: FloatSums) -> Optional[Summary]:
    """The layout of projections, filters, windows and limits over one grouping, of which one is a window or a limit."""
    if not all(has_equality(own.parsed_type) for own in visible):
        return None
    chain: list[Op] = []
    base = root
    while isinstance(base, (Project, Filter, Window, TopK)):
        chain.append(base)
        base = base.child
    grouping = grouping_of(base)
    if grouping is None or not grouping.keys:
        return None
    windows, limits = (any(isinstance(op, kind) for op in chain) for kind in (Window, TopK))
    groups = _hidden(grouping, floats)
    # Without states the groups are read again from the sources: the first of them are stored in less space.
    if not windows and not (limits and groups.takes(only_adds=False)):
        return None
    if not all(can_be_stored(own.parsed_type) for own in grouping.schema):
        return None
    hidden = groups.state_columns
    plan = _Above(hidden).of(list(reversed(chain)), _grouping_over(groups))
    shown = tuple(Named(new, column_scalar(old)) for new, old in zip(visible.names, root.schema.names))
    shown_once = cast(integer(1), "bigint")
    seen = SEEN in plan.schema
    count = case(column(SEEN), shown_once, cast(integer(0), "bigint")) if seen else shown_once
    items = (*shown, Named(COUNT, Scalar(count)), *(Named(name, column_scalar(name)) for name in hidden))
    return Summary(visible, groups, Project(plan, items))


def _hidden(grouping: Aggregate, floats: FloatSums) -> Groups:
    """The grouping by itself: keys and states, or the aggregates where there are no states."""
    groups = Groups(Schema(()), grouping, (), None, measured(grouping, floats))
    if groups.algebraic:
        return groups
    named = tuple(
        Named(f"{HIDDEN}value_{number}", column_scalar(measure.name))
        for number, measure in enumerate(groups.measures, 1)
    )
    types = tuple(Column(item.name, grouping.schema.type_of(item.value.column_name or "")) for item in named)
    return replace(groups, columns=Schema(types), outputs=named)


def _grouping_over(groups: Groups) -> Op:
    """The grouping's own columns, computed from the stored columns of each group, and the stored ones beside them."""
    stored = groups.state_columns
    rows = StoredRecursion(GROUPS, Schema(tuple(Column(name, UNKNOWN) for name in stored)))
    keys = [Named(key, column_scalar(name)) for key, name in groups.key_columns.items()]
    if groups.algebraic:
        values = [
            Named(
                measure.name,
                Scalar(
                    measure.maintained.finish(
                        tuple(column(measure.state_name(part)) for part in measure.maintained.states)
                    )
                ),
            )
            for measure in groups.measures
            if measure.maintained is not None
        ]
    else:
        values = [Named(item.value.column_name or "", column_scalar(item.name)) for item in groups.outputs]
    return Project(rows, (*keys, *values, *(Named(name, column_scalar(name)) for name in stored)))


@dataclass(frozen=True)
class _Above:
    """The operators above the grouping, with the group beside each row, and hidden rows instead of missing ones."""

    hidden: Sequence[str]

    def of(self, chain: Sequence[Op], plan: Op) -> Op:
        for op in chain:
            plan = self._lift(op, plan)
        return plan

    def _lift(self, op: Op, below: Op) -> Op:
        match op:
            case Project():
                return Project(below, (*op.items, *self._carried(below)))
            case Filter():
                return self._hiding(below, op.condition.tree)
            case Window():
                return self._window(op.items, below)
            case TopK():
                return self._first(op, below)
            case _:
                raise AssertionError(f"{type(op).__name__} above a grouping")

    def _carried(self, below: Op) -> tuple[Named, ...]:
        names = (*self.hidden, *((SEEN,) if SEEN in below.schema else ()))
        return tuple(Named(name, column_scalar(name)) for name in names)

    def _own(self, below: Op) -> list[str]:
        return [name for name in below.schema.names if name not in self.hidden and name != SEEN]

    def _hiding(self, below: Op, condition: exp.Expr) -> Op:
        """A row that fails the condition is hidden instead of dropped: its values become NULL."""
        passes: exp.Expr = exp.Coalesce(this=condition.copy(), expressions=[exp.false()])
        if SEEN in below.schema:
            passes = exp.And(this=column(SEEN), expression=passes)
        rest = [Named(name, column_scalar(name)) for name in (*self._own(below), *self.hidden)]
        judged = Project(below, (*rest, Named(SEEN, Scalar(passes))))
        values = [Named(name, Scalar(case(column(SEEN), column(name), exp.Null()))) for name in self._own(below)]
        return Project(judged, (*values, *self._carried(judged)))

    def _window(self, items: Sequence[Named], below: Op) -> Op:
        """Shown and hidden rows are never in one partition."""
        seen = SEEN in below.schema
        separate = (
            tuple(Named(item.name, Scalar(_separate(item.value.tree))) for item in items) if seen else tuple(items)
        )
        window = Window(below, (), separate)
        # A group's own columns come last: they break ties only where nothing else does.
        own = (*self._own(below), *(item.name for item in items))
        return Project(window, (*(Named(name, column_scalar(name)) for name in own), *self._carried(below)))

    def _first(self, top: TopK, below: Op) -> Op:
        number = exp.Window(this=exp.Anonymous(this="ROW_NUMBER"), order=top.sorted_by(), over="OVER")
        numbered = self._window((Named(NUMBER, Scalar(number)),), below)
        first = exp.GT(this=column(NUMBER), expression=integer(top.offset))
        last = exp.LTE(this=column(NUMBER), expression=integer(top.offset + top.limit))
        both = all_of((first, last))
        assert both is not None
        limited = self._hiding(numbered, both)
        names = [name for name in self._own(limited) if name != NUMBER]
        return Project(limited, (*(Named(name, column_scalar(name)) for name in names), *self._carried(limited)))


def _separate(tree: exp.Expr) -> exp.Expr:
    copied = tree.copy()
    copied.set("partition_by", [*(copied.args.get("partition_by") or []), column(SEEN)])
    return copied
