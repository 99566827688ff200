"""gains: whether a change is known to only add rows, so that what it matches has a match from then on."""

from __future__ import annotations

from trickle.operators.filter import Filter
from trickle.operators.project import Project
from trickle.operators.scan import Feed
from trickle.plan.op import Op


def only_gains(delta: Op) -> bool:
    """True for a source's new rows, filtered and projected; False where nothing is known."""
    match delta:
        case Feed():
            return delta.only_inserts
        case Filter() | Project():
            return only_gains(delta.child)
        case _:
            return False
