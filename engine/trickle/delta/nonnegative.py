"""Whether a delta can only add rows: what lets a refresh append instead of merge."""

from __future__ import annotations

from typing_extensions import assert_never

from trickle.operators import (
    Accumulate,
    Aggregate,
    ClockDelta,
    Consolidate,
    Distinct,
    Empty,
    Explode,
    Feed,
    Filter,
    Join,
    Lookup,
    MarkJoin,
    Negate,
    OuterJoin,
    Project,
    Recompute,
    Recursion,
    Restrict,
    Scan,
    SemiJoin,
    Stored,
    StoredRecursion,
    TopK,
    TouchedKeys,
    UnionAll,
    Values,
    Window,
    Within,
    Working,
    closed,
)
from trickle.plan.op import Op


def only_adds(root: Op) -> bool:
    """True when no row of the plan can have a negative weight."""
    delta = closed(root)
    match delta:
        case Feed():
            return delta.only_inserts
        case Working():
            # Only where the anchor does, which is checked as well.
            return True
        case Consolidate():
            return only_adds(delta.child)
        case Filter() | Project() | Explode() | Join() | UnionAll() | Recursion():
            return all(only_adds(child) for child in delta.children)
        case Restrict():
            return only_adds(delta.child)
        case SemiJoin() | OuterJoin() | MarkJoin():
            # Only their left side can be a change: a change of the right side becomes unions.
            return only_adds(delta.left)
        case Negate():
            return not delta.signed
        case Accumulate() | Aggregate() | ClockDelta() | Distinct() | Lookup() | TopK() | TouchedKeys() | Window():
            return not delta.signed
        case Empty() | Recompute() | Scan() | Stored() | StoredRecursion() | Values() | Within():
            return not delta.signed
        case _:
            assert_never(delta)
