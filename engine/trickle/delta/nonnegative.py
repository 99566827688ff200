"""Whether a delta can only add rows: what lets a refresh append instead of merge."""

from __future__ import annotations

from trickle.operators import (
    Consolidate,
    Explode,
    Feed,
    Filter,
    Join,
    MarkJoin,
    OuterJoin,
    Project,
    Recursion,
    Restrict,
    SemiJoin,
    UnionAll,
    Working,
)
from trickle.plan.op import Op


def only_adds(delta: Op) -> bool:
    """True when no row of the plan can have a negative weight."""
    match delta:
        case Feed():
            return delta.only_inserts
        case Working():
            # As the anchor, which is asked as well.
            return True
        case Consolidate():
            return only_adds(delta.child)
        case Filter() | Project() | Explode() | Join() | UnionAll() | Recursion():
            return all(only_adds(child) for child in delta.children)
        case Restrict():
            return only_adds(delta.child)
        case SemiJoin() | OuterJoin() | MarkJoin():
            # Only their left side can be a change: a change of the right one is spelt out as unions.
            return only_adds(delta.left)
        case _:
            return not delta.signed
