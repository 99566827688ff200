"""Whether the change of a plan is too deep for the passes and for Spark."""

from __future__ import annotations

from trickle.delta.differentiate import SourceChange
from trickle.delta.passes import change_to_apply
from trickle.operators import Scan
from trickle.plan.op import Op, walk

SHALLOW = 40
"""The depth of plans whose change is surely within reach."""
DEEPEST = 800
"""Operators above each other, in the change of everything."""


def depth(root: Op) -> int:
    """Operators on the longest way down."""
    depths: dict[int, int] = {}
    for op in walk(root):
        depths[id(op)] = 1 + max((depths[id(child)] for child in op.children), default=0)
    return depths[id(root)]


def is_out_of_reach(plan: Op, maintained: Op) -> bool:
    """Whether the change of all its sources at once is too deep; groupings above each other multiply."""
    if depth(plan) <= SHALLOW:
        return False
    changed = {op.source: SourceChange() for op in walk(plan) if isinstance(op, Scan)}
    return depth(change_to_apply(maintained, changed).delta) > DEEPEST
