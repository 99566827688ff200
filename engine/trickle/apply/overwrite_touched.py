"""overwrite_touched (of a Summary): read the touched groups again, and compute all visible columns anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from trickle.apply.overwrite_summary import overwriting
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.delta.bound_scans import bound_scans
from trickle.delta.push_restrictions import push_restrictions
from trickle.operators import Restrict, SemiJoin, TouchedKeys, UnionAll
from trickle.plan.change import Change
from trickle.plan.op import Op
from trickle.plan.ranges import ColumnStatistics
from trickle.plan.scalar import Named, Scalar
from trickle.sql.build import all_of, column, same

if TYPE_CHECKING:
    from trickle.layouts.summary import Summary

TOUCHED = "__trickle_touched_"


def offer_overwrite_touched(given: StrategyInput, layout: Summary) -> Strategy:
    """Always right."""
    groups = groups_read_again(given.change, layout, given.binding.statistics)
    return overwriting("overwrite_touched", groups, given, layout)


def groups_read_again(change: Change, layout: Summary, statistics: Mapping[str, ColumnStatistics]) -> Op:
    """G′ = G ▷ K ⊎ γ(R′ ⋉ K),  K = keys of ΔR."""
    keys = layout.groups.aggregate.keys
    names = tuple(Named(f"{TOUCHED}{number}", key.value) for number, key in enumerate(keys, 1))
    touched = TouchedKeys(change.delta, names)
    again = layout.groups.rows_of(push_restrictions(Restrict(change.after, touched, names)))
    pairs = zip(names, (layout.groups.key_columns[key.name] for key in keys))
    matches = all_of(same(column(stored), column(name.name)) for name, stored in pairs)
    assert matches is not None
    untouched = SemiJoin(layout.stored_groups(), touched, Scalar(matches), anti=True)
    return bound_scans(UnionAll((untouched, layout.without_count(again))), statistics)
