"""split_projections: the projections and filters above the stored part of a view, written over its columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from trickle.operators import Filter, Project
from trickle.plan.op import Op
from trickle.plan.scalar import Scalar, column_scalar
from trickle.sql.build import all_of


@dataclass(frozen=True)
class SplitProjections:
    """An operator, the view's columns over its columns, and the condition under which its rows are shown."""

    base: Op
    outputs: tuple[Scalar, ...]
    condition: Optional[Scalar]


def split_projections(root: Op) -> SplitProjections:
    """π(σ(…(base)))  →  base, with every projected value and condition rewritten over it."""
    match root:
        case Project():
            below = split_projections(root.child)
            values = dict(zip(root.child.schema.names, below.outputs))
            return SplitProjections(below.base, tuple(item.value.over(values) for item in root.items), below.condition)
        case Filter():
            below = split_projections(root.child)
            condition = root.condition.over(dict(zip(root.child.schema.names, below.outputs)))
            earlier = () if below.condition is None else (below.condition.tree,)
            together = all_of((*earlier, condition.tree))
            return SplitProjections(below.base, below.outputs, None if together is None else Scalar(together))
        case _:
            return SplitProjections(root, tuple(column_scalar(name) for name in root.schema.names), None)
