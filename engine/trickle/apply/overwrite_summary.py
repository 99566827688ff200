"""overwrite_summary: what is shown of groups computed again from the groups as they are after the change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from trickle.apply.target import Target, insert_overwrite, unless
from trickle.delta.bound_scans import bound_scans
from trickle.delta.push_restrictions import push_restrictions
from trickle.layouts.groups import ROWS, Groups, initial_plan
from trickle.layouts.summary import GROUPS, Summary, group_columns
from trickle.operators import Accumulate, Aggregate, Filter, Project, Restrict, SemiJoin, TouchedKeys, UnionAll
from trickle.plan.change import Change
from trickle.plan.op import Op
from trickle.plan.ranges import ColumnStatistics
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.build import all_of, column, integer, same, subquery

TOUCHED = "__trickle_touched_"


def overwrite_summary(groups: Op, layout: Summary, target: Target, binding: Binding) -> exp.Expr:
    """INSERT OVERWRITE storage with what is shown of these groups, which read the stored ones as GROUPS."""
    held = exp.Select(expressions=[column(name) for name in group_columns(layout.groups)])
    bound = replace(binding, stored_relations={GROUPS: subquery(held.from_(target.held(), copy=False), GROUPS)})
    return insert_overwrite(target, render(layout.over(groups), bound))


def groups_added_up(moved: Accumulate, layout: Summary, target: Target) -> Op:
    """G′ = stored states ⊎ changes of states, added up for each group: no source is read but for its change."""
    groups = layout.groups
    keys = [Named(key, column_scalar(stored)) for key, stored in groups.key_columns.items()]
    names = (ROWS, *(name for name, _ in groups.states))
    rest = tuple(Named(name, column_scalar(name)) for name in names)
    held = Project(layout.kept(), (*keys, *rest))
    changes = Project(moved, tuple(Named(name, column_scalar(name)) for name in held.schema.names))
    own = tuple(Named(key.name, column_scalar(key.name)) for key in keys)
    rows = Named(ROWS, Scalar(exp.Sum(this=column(ROWS))))
    states = (Named(name, Scalar(state.combine.of_all(column(name)))) for name, state in groups.states)
    totals = Aggregate(UnionAll((held, changes)), own, (rows, *states))
    present = Filter(totals, Scalar(exp.NEQ(this=column(ROWS), expression=integer(0))))
    return Project(present, tuple(Named(name, _stored(groups, name, target)) for name in group_columns(groups)))


def _stored(groups: Groups, name: str, target: Target) -> Scalar:
    if name == ROWS:
        return Scalar(unless(exp.LT(this=column(ROWS), expression=integer(0)), column(ROWS), target))
    keys = {stored: key for key, stored in groups.key_columns.items()}
    return column_scalar(keys.get(name, name))


def groups_read_again(change: Change, layout: Summary, statistics: Mapping[str, ColumnStatistics]) -> Op:
    """G′ = G ▷ K ⊎ γ(R′ ⋉ K),  K = keys of ΔR."""
    keys = layout.groups.aggregate.keys
    names = tuple(Named(f"{TOUCHED}{place + 1}", key.value) for place, key in enumerate(keys))
    touched = TouchedKeys(change.delta, names)
    again = initial_plan(layout.groups, push_restrictions(Restrict(change.after, touched, names)))
    pairs = zip(names, (layout.groups.key_columns[key.name] for key in keys))
    matches = all_of(same(column(stored), column(name.name)) for name, stored in pairs)
    assert matches is not None
    untouched = SemiJoin(layout.kept(), touched, Scalar(matches), anti=True)
    return bound_scans(UnionAll((untouched, layout.of_groups(again))), statistics)
