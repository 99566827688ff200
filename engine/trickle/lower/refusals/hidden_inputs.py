"""Inputs of a query that nobody here sees change: a result that rests on one is computed anew at every run."""

from __future__ import annotations

from dataclasses import replace

from trickle.errors import Reason
from trickle.lower.refusals.refuse import refused
from trickle.lower.sources.pinned import PinnedQuery
from trickle.lower.sources.routines import Routines
from trickle.reasons import HIDDEN_INPUT_REASONS
from trickle.sql.parse import parse_select
from trickle.sql.stack_size import with_large_stack


@with_large_stack
def hidden_inputs(pinned: PinnedQuery, routines: Routines) -> tuple[Reason, ...]:
    """Such parts of the text and of every view in it, whatever else is refused, or cannot be understood."""
    return tuple(found for one in pinned.texts() for found in _unseen(one, routines))


def _unseen(query: PinnedQuery, routines: Routines) -> list[Reason]:
    found = [
        one
        for one in refused(parse_select(query.text), query.text, routines.unknown)
        if one.code in HIDDEN_INPUT_REASONS
    ]
    if not query.view:
        return found
    return [replace(one, position=None, message=f"In view {query.view}: {one.message}") for one in found]


def with_hidden_inputs(reasons: tuple[Reason, ...], unseen: tuple[Reason, ...]) -> tuple[Reason, ...]:
    """The reasons, and those of the others that say something new."""
    said = {(one.code, one.message) for one in reasons}
    return (*reasons, *(one for one in unseen if (one.code, one.message) not in said))
