"""differentiate: from a plan to the plan of its change, children first.

Which sources changed is decided at the leaves and nowhere else: a changed source is read before, after, and by its
feed; an unchanged one is itself twice and Empty. simplify removes the operators that this makes superfluous.

The clock may have changed as well, though it is no leaf: first an operator's rows change under the clock's new values,
then the clock advances over its old rows.   Δop(R) = op′(R′) − op′(R)  +  op′(R) − op(R)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from typing_extensions import assert_never

from trickle.delta.clock_change import clock_change
from trickle.errors import InternalError
from trickle.operators import (
    Empty,
    Feed,
    Moment,
    Recompute,
    Recursion,
    Scan,
    Stored,
    StoredRecursion,
    UnionAll,
    Values,
    Working,
    closed_leaf,
)
from trickle.plan.change import Change
from trickle.plan.clock import ClockCall, as_before
from trickle.plan.op import Linearity, Op


@dataclass(frozen=True)
class SourceChange:
    """What the feed of a changed source can hold."""

    only_inserts: bool = False


def differentiate(
    root: Op, changed: Mapping[str, SourceChange], changed_calls: Collection[ClockCall] = frozenset()
) -> Change:
    """The change of `root` when exactly the named sources changed, and the clock by exactly the moved readings.

    Shared nodes are differentiated once.
    """
    done: dict[int, Change] = {}

    def visit(op: Op) -> Change:
        if id(op) not in done:
            change = _leaf(op, changed) if not op.children else _inner(op, tuple(visit(child) for child in op.children))
            earlier = as_before(op, changed_calls)
            done[id(op)] = change if earlier is op else _timed(earlier, op, change)
        return done[id(op)]

    return visit(root)


def _leaf(leaf: Op, changed: Mapping[str, SourceChange]) -> Change:
    op = closed_leaf(leaf)
    match op:
        case Scan() if op.source in changed:
            feed = Feed(op.source, op.alias, op.columns, changed[op.source].only_inserts)
            return Change(replace(op, at=Moment.BEFORE), op, feed)
        case Scan() | Values() | Empty() | Working():
            return Change(op, op, Empty(op.schema))
        case Feed() | Recompute() | Stored() | StoredRecursion():
            raise InternalError(f"{type(op).__name__} cannot be differentiated: only refreshes contain it")
        case _:
            assert_never(op)


def _inner(op: Op, changes: tuple[Change, ...]) -> Change:
    if isinstance(op, Recursion):
        return op.change(*changes)
    if all(change.before is change.after for change in changes):
        return Change(op, op, Empty(op.schema))
    before = op.rebuild([change.before for change in changes])
    after = op.rebuild([change.after for change in changes])
    return Change(before, after, _delta(op, changes))


def _timed(earlier: Op, op: Op, rows: Change) -> Change:
    """The same with what the passing of time adds to it."""
    before = earlier.rebuild(rows.before.children)
    return Change(before, rows.after, UnionAll((rows.delta, clock_change(before, rows.before))))


def _delta(op: Op, changes: tuple[Change, ...]) -> Op:
    if op.linearity is Linearity.LINEAR:
        return op.rebuild([change.delta for change in changes])
    return op.delta(changes)
