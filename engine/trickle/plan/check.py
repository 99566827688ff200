"""Invariants of plans, checked after every pass. An error names the pass."""

from __future__ import annotations

from trickle.errors import InternalError
from trickle.plan.op import Op, walk


def check_same_schema(before: Op, after: Op, culprit: str) -> None:
    """A pass may not change the schema of a plan, nor leave a column unresolved."""
    if before.schema.names != after.schema.names:
        raise InternalError(f"{culprit} changed the schema from {before.schema.names} to {after.schema.names}")
    check_columns(after, culprit)


def check_columns(root: Op, culprit: str) -> None:
    """Every expression reads only columns its operator's children expose."""
    for op in walk(root):
        if not op.children:
            continue
        exposed = {name for child in op.children for name in child.schema.names}
        for scalar in op.scalars():
            missing = scalar.columns - exposed - {"__trickle_weight"}
            if missing:
                name = type(op).__name__
                raise InternalError(f"after {culprit}, {name} reads {sorted(missing)}, which no child exposes")
