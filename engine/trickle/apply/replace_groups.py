"""replace_groups: recompute every touched group from the sources and put it in the stored one's place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sqlglot import exp

from trickle.apply.merging import price_of_merging
from trickle.apply.price import Estimate
from trickle.apply.steps import Kind
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import CHANGES, TARGET, Target, merge_source
from trickle.delta.bound_scans import bound_scans
from trickle.delta.push_restrictions import push_restrictions
from trickle.operators import Lookup, Restrict, TouchedKeys
from trickle.plan.change import Change
from trickle.plan.comparable import same_value
from trickle.plan.hidden_columns import ROWS
from trickle.plan.op import Op
from trickle.plan.ranges import ColumnStatistics
from trickle.plan.scalar import Named
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.render.small import is_small
from trickle.sql.build import all_of, column, table
from trickle.types import UNKNOWN, parse_type

if TYPE_CHECKING:
    from trickle.layouts.groups import Groups

TOUCHED = "__trickle_touched_"


def offer_replace_groups(given: StrategyInput, layout: Groups, work: Estimate) -> Strategy:
    """Always right; `work` is that of the recomputed groups."""
    seconds = price_of_merging(given, work.rows) + work.seconds
    return Strategy(
        "replace_groups",
        Kind.MERGE,
        seconds,
        lambda: replace_groups(given.change, layout, given.target, given.binding),
    )


def recomputed_groups(change: Change, layout: Groups, statistics: Mapping[str, ColumnStatistics] | None = None) -> Op:
    """Each touched key beside its group's new stored row, or NULLs when the group is gone."""
    keys = layout.aggregate.keys
    if not keys:
        return layout.rows_of(change.after)
    names = [Named(f"{TOUCHED}{number}", key.value) for number, key in enumerate(keys, 1)]
    touched = TouchedKeys(change.delta, tuple(names))
    rows = layout.rows_of(push_restrictions(Restrict(change.after, touched, tuple(names))))
    pairs = tuple((name.name, layout.key_columns[key.name]) for name, key in zip(names, keys))
    return bound_scans(Lookup(touched, rows, pairs), statistics or {})


def replace_groups(change: Change, layout: Groups, target: Target, binding: Binding) -> exp.Expr:
    """MERGE ON key <=> key: gone → DELETE, different → UPDATE, new → INSERT, equal → nothing."""
    keys = layout.aggregate.keys
    recomputed = recomputed_groups(change, layout, binding.statistics)
    matches = all_of(
        same_value(
            column(layout.key_columns[key.name], TARGET),
            column(f"{TOUCHED}{number}", CHANGES),
            parse_type(layout.key_types[key.name]),
        )
        for number, key in enumerate(keys, 1)
    )
    present = exp.Not(this=exp.Is(this=column(ROWS, CHANGES), expression=exp.Null()))
    types = {own.name: own.parsed_type for own in layout.columns}
    equal = all_of(
        same_value(column(name, TARGET), column(name, CHANGES), types.get(name, UNKNOWN)) for name in layout.stored
    )
    assert equal is not None
    assignments = [exp.EQ(this=column(name), expression=column(name, CHANGES)) for name in layout.stored]
    insert = exp.Insert(
        this=exp.Tuple(expressions=[column(name) for name in layout.stored]),
        expression=exp.Tuple(expressions=[column(name, CHANGES) for name in layout.stored]),
    )
    whens: list[exp.Expr] = []
    if keys:
        gone = exp.Is(this=column(ROWS, CHANGES), expression=exp.Null())
        whens.append(exp.When(matched=True, condition=gone, then=exp.Var(this="DELETE")))
    differs = exp.Not(this=exp.Paren(this=equal))
    whens.append(exp.When(matched=True, condition=differs, then=exp.Update(expressions=assignments)))
    whens.append(exp.When(matched=False, condition=present, then=insert))
    return exp.Merge(
        this=table(target.storage, TARGET),
        using=merge_source(render(recomputed, binding), is_small(recomputed, binding)),
        on=matches if matches is not None else exp.true(),
        whens=exp.Whens(expressions=whens),
    )
