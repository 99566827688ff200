"""Which layout a plan is stored in. A new layout is a line in LAYOUTS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from trickle.layouts.bag import Bag
from trickle.layouts.groups import groups_of
from trickle.layouts.layout import Layout
from trickle.layouts.series import series_of
from trickle.layouts.stored_recursions import reads_clock_above, store_recursions
from trickle.layouts.summary import summary_of
from trickle.layouts.top import top_of
from trickle.options import FloatSums
from trickle.plan.op import Op
from trickle.plan.schema import Schema

LAYOUTS: tuple[Callable[[Op, Schema, FloatSums], Optional[Layout]], ...] = (
    # Before Top: windows over groups may end in a LIMIT as well.
    summary_of,
    top_of,
    groups_of,
    series_of,
)
"""Each recognizes the plans it can store, by their last operators; the first one that does is taken."""


def layout_of(root: Op, visible: Schema, floats: FloatSums = FloatSums.EXACT) -> Layout:
    """Groups where a recursion is stored, the first of LAYOUTS that fits, or else a Bag, which fits every plan."""
    recursive = store_recursions(root, visible, floats)
    if recursive is not None:
        return recursive
    fitting = (recognized(root, visible, floats) for recognized in LAYOUTS)
    layout = next((layout for layout in fitting if layout is not None), None)
    return Bag(visible) if layout is None or reads_clock_above(root, layout.maintained(root)) else layout
