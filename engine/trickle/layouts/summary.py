"""Summary: groups with their states, and what a query says of nothing but these groups: ranks, shares, running totals.

Each stored row is a group with what is shown of it. A change is brought into the states of the groups it touches, and
what stands above the grouping is computed again from all stored groups: no source is read but for its change. Groups
that a condition hides are kept with count 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Optional

from sqlglot import exp

from trickle.layouts.groups import COUNT, HIDDEN, Groups, grouping_of, initial_plan, measured
from trickle.operators import Aggregate, Filter, Project, StoredRecursion, TopK, Window
from trickle.options import FloatSums
from trickle.plan.op import Op, rewrite_bottom_up
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import UNKNOWN, Column, Schema
from trickle.sql.build import all_of, case, cast, column, integer
from trickle.types import can_be_stored

GROUPS = "groups"
"""The relation of all stored groups."""
SEEN = f"{HIDDEN}seen"
"""Whether every condition so far lets the group pass."""
PLACE = f"{HIDDEN}row"


@dataclass(frozen=True)
class Summary:
    """The groups of a grouping, each with what is shown of it."""

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

    def filled(self) -> Op:
        """What a first build writes."""
        return self.over(self.of_groups(initial_plan(self.groups, self.groups.aggregate.child)))

    def of_groups(self, rows: Op) -> Op:
        """The columns of GROUPS alone."""
        return Project(rows, tuple(Named(name, column_scalar(name)) for name in group_columns(self.groups)))

    def kept(self) -> StoredRecursion:
        """The groups as they are stored."""
        types = {one.name: one.type for one in initial_plan(self.groups, self.groups.aggregate.child).schema}
        return StoredRecursion(GROUPS, Schema(tuple(Column(name, types[name]) for name in group_columns(self.groups))))


def group_columns(groups: Groups) -> tuple[str, ...]:
    """What is stored of a group itself."""
    return tuple(name for name in groups.stored if name != COUNT)


def summary_of(root: Op, visible: Schema, floats: FloatSums) -> Optional[Summary]:
    """The layout of a plan of projections, filters, windows and limits over one grouping, a window among them."""
    chain: list[Op] = []
    base = root
    while isinstance(base, (Project, Filter, Window, TopK)):
        chain.append(base)
        base = base.child
    grouping = grouping_of(base)
    if grouping is None or not grouping.keys or not any(isinstance(op, Window) for op in chain):
        return None
    if not all(can_be_stored(one.parsed_type) for one in grouping.schema):
        return None
    groups = _hidden(grouping, floats)
    hidden = group_columns(groups)
    plan = _Above(hidden).of(list(reversed(chain)), _told(groups))
    shown = tuple(Named(new, column_scalar(old)) for new, old in zip(visible.names, root.schema.names))
    one = cast(integer(1), "bigint")
    seen = SEEN in plan.schema
    count = case(column(SEEN), one, cast(integer(0), "bigint")) if seen else one
    items = (*shown, Named(COUNT, Scalar(count)), *(Named(name, column_scalar(name)) for name in hidden))
    return Summary(visible, groups, Project(plan, items))


def _hidden(grouping: Aggregate, floats: FloatSums) -> Groups:
    """The grouping by itself: keys and states, or the aggregates where there are no states."""
    found = Groups(Schema(()), grouping, (), None, measured(grouping, floats))
    if found.algebraic:
        return found
    named = tuple(
        Named(f"{HIDDEN}value_{place + 1}", column_scalar(one.name)) for place, one in enumerate(found.measures)
    )
    types = tuple(Column(one.name, grouping.schema.type_of(one.value.column_name or "")) for one in named)
    return replace(found, columns=Schema(types), outputs=named)


def _told(groups: Groups) -> Op:
    """The grouping's own columns, from what is stored of each group, with that beside them."""
    stored = group_columns(groups)
    rows = StoredRecursion(GROUPS, Schema(tuple(Column(name, UNKNOWN) for name in stored)))
    keys = [Named(key, column_scalar(name)) for key, name in groups.key_columns.items()]
    if groups.algebraic:
        values = [
            Named(
                one.name,
                Scalar(one.maintained.finish(tuple(column(one.state_name(part)) for part in one.maintained.states))),
            )
            for one in groups.measures
            if one.maintained is not None
        ]
    else:
        values = [Named(item.value.column_name or "", column_scalar(item.name)) for item in groups.outputs]
    return Project(rows, (*keys, *values, *(Named(name, column_scalar(name)) for name in stored)))


@dataclass(frozen=True)
class _Above:
    """What stands above the grouping, with the group beside each row, and with hidden rows instead of missing ones."""

    hidden: Sequence[str]

    def of(self, chain: Sequence[Op], plan: Op) -> Op:
        for op in chain:
            plan = self._one(op, plan)
        return plan

    def _one(self, op: Op, below: Op) -> Op:
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
                raise AssertionError(f"{type(op).__name__} does not stand above groups")

    def _carried(self, below: Op) -> tuple[Named, ...]:
        names = (*self.hidden, *((SEEN,) if SEEN in below.schema else ()))
        return tuple(Named(name, column_scalar(name)) for name in names)

    def _own(self, below: Op) -> list[str]:
        return [name for name in below.schema.names if name not in self.hidden and name != SEEN]

    def _hiding(self, below: Op, condition: exp.Expr) -> Op:
        """Instead of going, a row is hidden: it has no values any more that something could be computed of."""
        passes: exp.Expr = exp.Coalesce(this=condition.copy(), expressions=[exp.false()])
        if SEEN in below.schema:
            passes = exp.And(this=column(SEEN), expression=passes)
        rest = [Named(name, column_scalar(name)) for name in (*self._own(below), *self.hidden)]
        judged = Project(below, (*rest, Named(SEEN, Scalar(passes))))
        values = [Named(name, Scalar(case(column(SEEN), column(name), exp.Null()))) for name in self._own(below)]
        return Project(judged, (*values, *self._carried(judged)))

    def _window(self, items: Sequence[Named], below: Op) -> Op:
        """Rows that are seen and rows that are not are never in one partition."""
        seen = SEEN in below.schema
        apart = tuple(Named(one.name, Scalar(_apart(one.value.tree))) for one in items) if seen else tuple(items)
        window = Window(below, (), apart)
        # A group's own columns come last: they break ties only where nothing else does.
        own = (*self._own(below), *(one.name for one in items))
        return Project(window, (*(Named(name, column_scalar(name)) for name in own), *self._carried(below)))

    def _first(self, top: TopK, below: Op) -> Op:
        number = exp.Window(this=exp.Anonymous(this="ROW_NUMBER"), order=top.sorted_by(), over="OVER")
        numbered = self._window((Named(PLACE, Scalar(number)),), below)
        first = exp.GT(this=column(PLACE), expression=integer(top.offset))
        last = exp.LTE(this=column(PLACE), expression=integer(top.offset + top.limit))
        both = all_of((first, last))
        assert both is not None
        kept = self._hiding(numbered, both)
        names = [name for name in self._own(kept) if name != PLACE]
        return Project(kept, (*(Named(name, column_scalar(name)) for name in names), *self._carried(kept)))


def _apart(tree: exp.Expr) -> exp.Expr:
    copied = tree.copy()
    copied.set("partition_by", [*(copied.args.get("partition_by") or []), column(SEEN)])
    return copied
