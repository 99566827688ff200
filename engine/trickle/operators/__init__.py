"""The relational vocabulary, one operator a file. `AnyOp` is the closed union that total functions match over."""

from __future__ import annotations

from typing import Union, cast

from trickle.operators.accumulate import Accumulate
from trickle.operators.aggregate import Aggregate
from trickle.operators.clock_delta import ClockDelta
from trickle.operators.consolidate import Consolidate
from trickle.operators.distinct import Distinct
from trickle.operators.empty import Empty
from trickle.operators.explode import Explode
from trickle.operators.filter import Filter
from trickle.operators.join import Join
from trickle.operators.lookup import Lookup
from trickle.operators.mark_join import MarkJoin
from trickle.operators.negate import Negate
from trickle.operators.outer_join import OuterJoin
from trickle.operators.project import Project
from trickle.operators.recompute import Recompute
from trickle.operators.recursion import Recursion
from trickle.operators.restrict import Restrict
from trickle.operators.scan import Feed, Moment, Scan, SourceColumn
from trickle.operators.semi_join import SemiJoin
from trickle.operators.stored import Stored
from trickle.operators.stored_recursion import StoredRecursion
from trickle.operators.top_k import Ordering, TopK
from trickle.operators.touched_keys import TouchedKeys
from trickle.operators.union_all import UnionAll
from trickle.operators.values import Values
from trickle.operators.window import Window
from trickle.operators.within import Within
from trickle.operators.working import Working
from trickle.plan.op import Op

AnyOp = Union[
    Accumulate,
    Aggregate,
    Consolidate,
    Distinct,
    Empty,
    Explode,
    Feed,
    Filter,
    Join,
    StoredRecursion,
    Lookup,
    MarkJoin,
    ClockDelta,
    Negate,
    OuterJoin,
    Project,
    Recompute,
    Recursion,
    Restrict,
    Scan,
    SemiJoin,
    Stored,
    TopK,
    TouchedKeys,
    UnionAll,
    Values,
    Window,
    Within,
    Working,
]

AnyLeaf = Union[Empty, Feed, Recompute, Scan, Stored, StoredRecursion, Values, Working]
"""The operators without children."""


def closed(op: Op) -> AnyOp:
    """The operator as one of the closed union, so that mypy proves a `match` over it total."""
    return cast("AnyOp", op)


def closed_leaf(op: Op) -> AnyLeaf:
    """An operator without children as one of the closed union of leaves."""
    assert not op.children, f"{type(op).__name__} is no leaf of a plan"
    return cast("AnyLeaf", op)


__all__ = [
    "Accumulate",
    "Aggregate",
    "AnyLeaf",
    "AnyOp",
    "ClockDelta",
    "Consolidate",
    "Distinct",
    "Empty",
    "Explode",
    "Feed",
    "Filter",
    "Join",
    "Lookup",
    "MarkJoin",
    "Moment",
    "Negate",
    "Ordering",
    "OuterJoin",
    "Project",
    "Recompute",
    "Recursion",
    "Restrict",
    "Scan",
    "SemiJoin",
    "SourceColumn",
    "Stored",
    "StoredRecursion",
    "TopK",
    "TouchedKeys",
    "UnionAll",
    "Values",
    "Window",
    "Within",
    "Working",
    "closed",
    "closed_leaf",
]
