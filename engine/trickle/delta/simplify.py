"""simplify: identities of Z-sets that remove what a refresh need not do. Every rule keeps the bag and the schema."""

from __future__ import annotations

from sqlglot import exp

from trickle.operators import (
    Aggregate,
    ClockDelta,
    Consolidate,
    Distinct,
    Empty,
    Explode,
    Filter,
    Join,
    MarkJoin,
    Negate,
    OuterJoin,
    Project,
    Recursion,
    Restrict,
    SemiJoin,
    TopK,
    TouchedKeys,
    UnionAll,
    Window,
)
from trickle.plan.op import Op, rewrite_bottom_up
from trickle.plan.scalar import Named, Scalar, column_scalar


def simplify(root: Op) -> Op:
    """Apply the identities bottom-up. One pass is enough: each rule only looks at simplified children."""
    return rewrite_bottom_up(root, simplify_node)


def simplify_node(op: Op) -> Op:
    """One node over simplified children.

    op(∅) = ∅ for linear op, ∅ ⋈ R = ∅, ∅ ⟕ R = ∅, L ⋉ ∅ = ∅, L ▷ ∅ = L,
    a recursion from ∅ = ∅, one that makes nothing = its anchor,
    ∅ ⊎ R = R, −−R = R, γ over keys of ∅ = ∅ (a global aggregate keeps its row)
    """
    match op:
        case Filter(child=Empty()) | Project(child=Empty()) | Negate(child=Empty()) | Consolidate(child=Empty()):
            return Empty(op.schema)
        case (
            Explode(child=Empty())
            | Distinct(child=Empty())
            | TouchedKeys(child=Empty())
            | Window(child=Empty())
            | ClockDelta(child=Empty())
            | TopK(child=Empty())
        ):
            return Empty(op.schema)
        case Aggregate(child=Empty(), keys=keys) if keys:
            return Empty(op.schema)
        case Join(left=Empty()) | Join(right=Empty()):
            return Empty(op.schema)
        case Recursion():
            return _simplify_recursion(op)
        case Restrict(child=Empty()) | Restrict(keys=Empty()):
            return Empty(op.schema)
        case SemiJoin(left=Empty()) | SemiJoin(right=Empty(), anti=False):
            return Empty(op.schema)
        case SemiJoin(right=Empty()):
            return op.left
        case OuterJoin(left=Empty(), full=False) | OuterJoin(left=Empty(), right=Empty()) | MarkJoin(left=Empty()):
            return Empty(op.schema)
        case Negate(child=Negate(child=inner)) if inner.signed:
            return inner
        case OuterJoin(right=Empty(), full=False):
            return op.padded(op.left)
        case OuterJoin(left=Empty(), full=True):
            return op.padded(op.right)
        case OuterJoin(right=Empty(), full=True):
            return op.padded(op.left)
        case MarkJoin(right=Empty()):
            own = tuple(Named(name, column_scalar(name)) for name in op.left.schema.names)
            return Project(op.left, (*own, Named(op.mark, Scalar(exp.false()))))
        case UnionAll():
            return _simplify_union(op)
        case _:
            return op


def _simplify_recursion(op: Recursion) -> Op:
    if isinstance(op.anchor, Empty):
        return Empty(op.schema)
    return op.anchor if isinstance(op.step, Empty) else op


def _simplify_union(op: UnionAll) -> Op:
    inputs: list[Op] = []
    for branch in op.inputs:
        if isinstance(branch, UnionAll):
            inputs += branch.inputs
        elif not isinstance(branch, Empty):
            inputs.append(branch)
    if not inputs:
        return Empty(op.schema)
    if len(inputs) == 1:
        return inputs[0]
    return op if tuple(inputs) == op.inputs else UnionAll(tuple(inputs))
