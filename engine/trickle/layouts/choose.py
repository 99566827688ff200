"""Which layout a plan is stored in, and what of the plan is then differentiated."""

from __future__ import annotations

from typing import Union

from trickle.layouts.groups import Bag, Groups, groups_of
from trickle.layouts.series import Series, series_of
from trickle.layouts.stored_recursions import asks_above, store_recursions
from trickle.layouts.summary import Summary, summary_of
from trickle.layouts.top import Top, top_of
from trickle.options import FloatSums
from trickle.plan.op import Op
from trickle.plan.schema import Schema
from trickle.types import has_equality

Layout = Union[Bag, Groups, Top, Series, Summary]


def layout_of(root: Op, visible: Schema, floats: FloatSums = FloatSums.EXACT) -> Layout:
    """Groups where a recursion is kept, Summary for windows over groups, Top for ORDER BY … LIMIT at the end, Groups
    for a grouping there, Series for windows over all rows, else Bag.
    """
    if (kept := store_recursions(root, visible, floats)) is not None:
        return kept
    found: Layout | None = groups_of(root, visible, floats)
    if all(has_equality(one.parsed_type) for one in visible):
        found = summary_of(root, visible, floats) or top_of(root, visible) or found or series_of(root, visible)
    return Bag(visible) if found is None or asks_above(root, maintained(found, root)) else found


def maintained(layout: Layout, plan: Op) -> Op:
    """The part of the plan whose change the strategies take: what lies under a stored grouping or order, or all."""
    match layout:
        case Groups():
            return layout.aggregate.child
        case Summary():
            return layout.groups.aggregate.child
        case Top() | Series():
            return layout.input
        case Bag():
            return plan
