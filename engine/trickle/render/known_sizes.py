"""Plans of which all sizes that matter are known before they run, so that Spark need not learn them while it does.

Spark's adaptive execution plans a statement anew after each of its stages. For a small change that is most of the work.
"""

from __future__ import annotations

from trickle.operators import Join, Lookup, MarkJoin, OuterJoin, Recompute, Recursion, Restrict, SemiJoin
from trickle.plan.op import Op, walk
from trickle.render.reads import Binding
from trickle.render.small import is_small


def joins_are_known(root: Op, binding: Binding) -> bool:
    """Whether every join of the plan has a side that is sent to every task."""
    return all(_sends_a_side(op, binding) for op in walk(root))


def sizes_are_known(root: Op, binding: Binding) -> bool:
    """The same of a plan whose own rows are few: they are sent as well."""
    return is_small(root, binding) and joins_are_known(root, binding)


def _sends_a_side(op: Op, binding: Binding) -> bool:
    match op:
        case Join():
            return is_small(op.left, binding) or is_small(op.right, binding)
        case SemiJoin() | MarkJoin():
            return is_small(op.right, binding)
        case OuterJoin():
            # Spark cannot send the side whose rows are all kept.
            return not op.full and is_small(op.right, binding)
        case Restrict():
            return is_small(op.keys, binding)
        case Lookup() | Recursion() | Recompute():
            return False
        case _:
            return True
