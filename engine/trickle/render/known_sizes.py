"""Plans of which all sizes that matter are known before they run, so that Spark need not learn them while it does.

Spark's adaptive execution plans a statement anew after each of its stages. For a small change that is most of the work.
"""

from __future__ import annotations

from collections.abc import Collection

from trickle.operators import Join, Lookup, MarkJoin, OuterJoin, Recompute, Recursion, Restrict, SemiJoin
from trickle.plan.op import Op, walk
from trickle.render.reads import Binding
from trickle.render.small import small_parts


def joins_are_known(root: Op, binding: Binding) -> bool:
    """Whether every join of the plan has a side that is sent to every task."""
    return _all_send_a_side(root, small_parts(root, binding))


def sizes_are_known(root: Op, binding: Binding) -> bool:
    """The same of a plan whose own rows are few: they are sent as well."""
    small = small_parts(root, binding)
    return id(root) in small and _all_send_a_side(root, small)


def _all_send_a_side(root: Op, small: Collection[int]) -> bool:
    return all(_sends_a_side(op, small) for op in walk(root))


def _sends_a_side(op: Op, small: Collection[int]) -> bool:
    match op:
        case Join():
            return id(op.left) in small or id(op.right) in small
        case SemiJoin() | MarkJoin():
            return id(op.right) in small
        case OuterJoin():
            # Spark cannot send the side whose rows are all kept.
            return not op.full and id(op.right) in small
        case Restrict():
            return id(op.keys) in small
        case Lookup() | Recursion() | Recompute():
            return False
        case _:
            return True
