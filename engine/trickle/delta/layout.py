"""Which layout a plan is stored in, and what of the plan is then differentiated."""

from __future__ import annotations

from typing import Union

from trickle.delta.state import Bag, Groups, groups_of
from trickle.delta.top import Top, top_of
from trickle.options import FloatSums
from trickle.plan.clock import readings_of
from trickle.plan.op import Op, walk
from trickle.plan.schema import Schema

Layout = Union[Bag, Groups, Top]


def layout_of(root: Op, visible: Schema, floats: FloatSums = FloatSums.EXACT) -> Layout:
    """Top for a query that ends in ORDER BY … LIMIT, Groups for one that ends in a grouping, else Bag."""
    found = top_of(root, visible) or groups_of(root, visible, floats)
    return Bag(visible) if found is None or _asks_above(root, maintained(found, root)) else found


def _asks_above(root: Op, below: Op) -> bool:
    """Whether what stands above the maintained part asks the clock: what is stored of it would have to follow."""
    own = {id(op) for op in walk(below)}
    return any(readings_of(op) for op in walk(root) if id(op) not in own)


def maintained(layout: Layout, plan: Op) -> Op:
    """The part of the plan whose change the strategies take: what lies under a stored grouping or order, or all."""
    match layout:
        case Groups():
            return layout.aggregate.child
        case Top():
            return layout.input
        case Bag():
            return plan
