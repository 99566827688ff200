"""merge_by_key: add the change of each touched group's state to what is stored, in one MERGE that reads no source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from trickle.apply.merging import price_of_merging
from trickle.apply.state_changes import StateChanges
from trickle.apply.steps import Kind
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import CHANGES, TARGET, Target, merge_source, unless
from trickle.plan.comparable import same_value
from trickle.plan.hidden_columns import HIDDEN, ROWS
from trickle.render.known_sizes import sizes_are_known
from trickle.render.render import render
from trickle.render.small import is_small
from trickle.sql.build import all_of, column, integer, table
from trickle.types import parse_type

if TYPE_CHECKING:
    from trickle.layouts.groups import Groups

Trees = dict[str, exp.Expr]


def offer_merge_by_key(given: StrategyInput, layout: Groups, changes: StateChanges, touched: float) -> Strategy:
    """Right where there are changes of states; `touched` groups are written."""
    seconds = price_of_merging(given, touched) + changes.work.seconds
    return Strategy(
        "merge_by_key",
        Kind.MERGE,
        seconds,
        lambda: merge_by_key(
            render(changes.plan, given.binding), layout, given.target, is_small(changes.plan, given.binding)
        ),
        sizes_are_known(changes.plan, given.binding),
    )


def merge_by_key(change: exp.Query, layout: Groups, target: Target, small: bool = False) -> exp.Expr:
    """MERGE ON key <=> key: a group whose rows reach zero goes; a global aggregate keeps its one row."""
    keys = layout.key_columns
    matches = all_of(
        same_value(column(stored, TARGET), column(key, CHANGES), parse_type(layout.key_types[key]))
        for key, stored in keys.items()
    )
    total = exp.Add(this=column(ROWS, TARGET), expression=column(ROWS, CHANGES))
    whens: list[exp.Expr] = []
    if keys:
        gone = exp.EQ(this=total.copy(), expression=integer(0))
        whens.append(exp.When(matched=True, condition=gone, then=exp.Var(this="DELETE")))
    whens.append(exp.When(matched=True, then=_update(layout, target, total)))
    whens.append(exp.When(matched=False, then=_insert(layout, target)))
    return exp.Merge(
        this=table(target.storage, TARGET),
        using=merge_source(change, small),
        on=matches if matches is not None else exp.true(),
        whens=exp.Whens(expressions=whens),
    )


def _update(layout: Groups, target: Target, total: exp.Expr) -> exp.Update:
    states: Trees = {}
    for name, state in layout.states:
        states[name] = state.combine.of(column(name, TARGET), column(name, CHANGES))
    keys: Trees = {key: column(stored, TARGET) for key, stored in layout.key_columns.items()}
    finished = layout.finished(keys, states, total)
    shown_keys = {stored for stored in layout.key_columns.values() if not stored.startswith(HIDDEN)}
    values = {name: tree for name, tree in finished.items() if name not in shown_keys}
    values[ROWS] = unless(exp.LT(this=total.copy(), expression=integer(0)), total, target)
    values.update(states)
    assignments = [exp.EQ(this=column(name), expression=tree) for name, tree in values.items()]
    return exp.Update(expressions=assignments)


def _insert(layout: Groups, target: Target) -> exp.Insert:
    keys: Trees = {key: column(key, CHANGES) for key in layout.key_columns}
    states: Trees = {name: column(name, CHANGES) for name, _ in layout.states}
    finished = layout.finished(keys, states, column(ROWS, CHANGES))
    hidden: Trees = {stored: column(key, CHANGES) for key, stored in layout.hidden_keys.items()}
    rows = unless(exp.LTE(this=column(ROWS, CHANGES), expression=integer(0)), column(ROWS, CHANGES), target)
    every = {**finished, **hidden, ROWS: rows, **states}
    return exp.Insert(
        this=exp.Tuple(expressions=[column(name) for name in layout.stored]),
        expression=exp.Tuple(expressions=[every[name].copy() for name in layout.stored]),
    )
