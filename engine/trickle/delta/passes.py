"""The passes over the plan of a change, by name, in their order. Each can be switched off: it only saves work."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from trickle.delta.bound_scans import bound_scans
from trickle.delta.differentiate import SourceChange, differentiate
from trickle.delta.join_outward import join_outward
from trickle.delta.push_restrictions import push_restrictions
from trickle.delta.simplify import simplify
from trickle.plan.change import Change
from trickle.plan.check import check_same_schema
from trickle.plan.clock import ClockCall
from trickle.plan.op import Op
from trickle.plan.ranges import ColumnStatistics
from trickle.plan.row_counts import RowCounts

Pass = Callable[[Op, Mapping[str, ColumnStatistics], RowCounts], Op]

PASSES: tuple[tuple[str, Pass], ...] = (
    # First, because what it removes needs no restricting.
    ("simplify", lambda op, statistics, counts: simplify(op)),
    ("join_outward", lambda op, statistics, counts: join_outward(op, counts)),
    ("push_restrictions", lambda op, statistics, counts: push_restrictions(op)),
    # Last, because it follows restrictions and joins down to the scans.
    ("bound_scans", lambda op, statistics, counts: bound_scans(op, statistics)),
)


def change_to_apply(
    maintained: Op,
    changed: Mapping[str, SourceChange],
    statistics: Mapping[str, ColumnStatistics] | None = None,
    disabled: frozenset[str] = frozenset(),
    changed_calls: Collection[ClockCall] = frozenset(),
    counts: RowCounts = RowCounts(),  # noqa: B008 - frozen
) -> Change:
    """The simplified change of the part of a plan that its layout maintains."""
    change = differentiate(maintained, changed, changed_calls)
    delta = change.delta
    for name, rewrite in PASSES:
        if name not in disabled:
            passed = rewrite(delta, statistics or {}, counts)
            check_same_schema(delta, passed, name)
            delta = passed
    return Change(change.before, change.after, delta)
