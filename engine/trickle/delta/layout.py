"""Which layout a plan is stored in, and what of the plan is then differentiated."""

from __future__ import annotations

from typing import Union

from trickle.delta.state import Bag, Groups, groups_of
from trickle.delta.top import Top, top_of
from trickle.options import FloatSums
from trickle.plan.op import Op
from trickle.plan.schema import Schema

Layout = Union[Bag, Groups, Top]


def layout_of(root: Op, visible: Schema, floats: FloatSums = FloatSums.EXACT) -> Layout:
    """Top for a query that ends in ORDER BY … LIMIT, Groups for one that ends in a grouping, else Bag."""
    return top_of(root, visible) or groups_of(root, visible, floats) or Bag(visible)


def maintained(layout: Layout, plan: Op) -> Op:
    """The part of the plan whose change the strategies take: what lies under a stored grouping or order, or all."""
    match layout:
        case Groups():
            return layout.aggregate.child
        case Top():
            return layout.input
        case Bag():
            return plan
