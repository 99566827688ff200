"""differentiate: from a plan to the plan of its change, children first.

Which sources changed is decided at the leaves and nowhere else: a changed source is read before, after, and by its
feed; an unchanged one is itself twice and Empty. What that makes superfluous, simplify removes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trickle.errors import InternalError
from trickle.operators import Empty, Feed, Moment, Scan, Values
from trickle.plan.change import Change
from trickle.plan.op import Linearity, Op


@dataclass(frozen=True)
class SourceChange:
    """What the feed of a changed source can hold."""

    only_inserts: bool = False


def differentiate(root: Op, changed: Mapping[str, SourceChange]) -> Change:
    """The change of `root` when exactly the named sources changed. Shared nodes are differentiated once."""
    done: dict[int, Change] = {}

    def visit(op: Op) -> Change:
        if id(op) not in done:
            done[id(op)] = (
                _leaf(op, changed) if not op.children else _inner(op, tuple(visit(child) for child in op.children))
            )
        return done[id(op)]

    return visit(root)


def _leaf(op: Op, changed: Mapping[str, SourceChange]) -> Change:
    match op:
        case Scan() if op.source in changed:
            feed = Feed(op.source, op.alias, op.columns, changed[op.source].only_inserts)
            return Change(replace(op, at=Moment.BEFORE), op, feed)
        case Scan() | Values() | Empty():
            return Change(op, op, Empty(op.schema))
        case _:
            raise InternalError(f"{type(op).__name__} cannot be differentiated: it belongs to deltas only")


def _inner(op: Op, changes: tuple[Change, ...]) -> Change:
    if all(change.before is change.after for change in changes):
        return Change(op, op, Empty(op.schema))
    before = op.rebuild([change.before for change in changes])
    after = op.rebuild([change.after for change in changes])
    return Change(before, after, _delta(op, changes))


def _delta(op: Op, changes: tuple[Change, ...]) -> Op:
    if op.linearity is Linearity.LINEAR:
        return op.rebuild([change.delta for change in changes])
    return op.delta(changes)
