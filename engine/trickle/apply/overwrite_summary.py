"""overwrite (of a Summary): add the change to the stored states, and compute all visible columns from them again."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Optional

from sqlglot import exp

from trickle.apply.price import MILLION
from trickle.apply.state_changes import state_changes
from trickle.apply.steps import Kind
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import Target, insert_overwrite, unless
from trickle.operators import Accumulate, Aggregate, Filter, Project, UnionAll
from trickle.plan.hidden_columns import ROWS
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.render.known_sizes import joins_are_known
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.render.small import FEW_ROWS, in_one_task
from trickle.sql.build import column, integer, subquery

if TYPE_CHECKING:
    from trickle.layouts.groups import Groups
    from trickle.layouts.summary import Summary

GROUPS = "groups"
"""The relation of all stored groups."""


def offer_overwrite_summary(given: StrategyInput, layout: Summary) -> Optional[Strategy]:
    """Right where every state can take the change."""
    changed_states = state_changes(given, layout.groups)
    if changed_states is None:
        return None
    return overwriting("overwrite", groups_added_up(changed_states.plan, layout, given.target), given, layout)


def overwriting(name: str, groups: Op, given: StrategyInput, layout: Summary) -> Strategy:
    """The strategy that writes the visible columns of these groups."""
    plan, binding = layout.over(groups), given.binding
    seconds = given.overwriting + given.estimate(plan).seconds + given.target.rows / MILLION * given.rates.write
    fits = binding.stored_in_one_task and id(plan) in in_one_task(plan, binding)
    once = fits or (given.target.rows <= FEW_ROWS and joins_are_known(plan, binding))
    build = partial(overwrite_summary, groups, layout, given.target, binding)
    return Strategy(name, Kind.OVERWRITE, seconds, build, once)


def overwrite_summary(groups: Op, layout: Summary, target: Target, binding: Binding) -> exp.Expr:
    """INSERT OVERWRITE storage with the visible columns of these groups, which read the stored ones as GROUPS."""
    stored = exp.Select(expressions=[column(name) for name in layout.groups.state_columns])
    relation = subquery(stored.from_(target.stored(), copy=False), GROUPS)
    return insert_overwrite(target, render(layout.over(groups), replace(binding, stored_relations={GROUPS: relation})))


def groups_added_up(changed_states: Accumulate, layout: Summary, target: Target) -> Op:
    """G′ = stored states ⊎ changes of states, added up for each group: no source is read but for its change."""
    groups = layout.groups
    keys = [Named(key, column_scalar(stored)) for key, stored in groups.key_columns.items()]
    names = (ROWS, *(name for name, _ in groups.states))
    rest = tuple(Named(name, column_scalar(name)) for name in names)
    stored = Project(layout.stored_groups(), (*keys, *rest))
    changes = Project(changed_states, tuple(Named(name, column_scalar(name)) for name in stored.schema.names))
    own = tuple(Named(key.name, column_scalar(key.name)) for key in keys)
    rows = Named(ROWS, Scalar(exp.Sum(this=column(ROWS))))
    states = (Named(name, Scalar(state.combine.of_all(column(name)))) for name, state in groups.states)
    totals = Aggregate(UnionAll((stored, changes)), own, (rows, *states))
    present = Filter(totals, Scalar(exp.NEQ(this=column(ROWS), expression=integer(0))))
    return Project(present, tuple(Named(name, _stored(groups, name, target)) for name in groups.state_columns))


def _stored(groups: Groups, name: str, target: Target) -> Scalar:
    if name == ROWS:
        return Scalar(unless(exp.LT(this=column(ROWS), expression=integer(0)), column(ROWS), target))
    keys = {stored: key for key, stored in groups.key_columns.items()}
    return column_scalar(keys.get(name, name))
