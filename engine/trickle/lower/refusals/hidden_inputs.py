"""Hidden inputs: inputs whose changes cannot be detected. A query with one is recomputed at every run."""

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
    """The hidden inputs of the text and of its views, also where other parts are refused or not understood."""
    return tuple(reason for query in pinned.texts() for reason in _hidden_inputs_of(query, routines))


def _hidden_inputs_of(query: PinnedQuery, routines: Routines) -> list[Reason]:
    reasons = [
        reason
        for reason in refused(parse_select(query.text), query.text, routines.unknown)
        if reason.code in HIDDEN_INPUT_REASONS
    ]
    if not query.view:
        return reasons
    return [replace(reason, position=None, message=f"In view {query.view}: {reason.message}") for reason in reasons]


def with_hidden_inputs(reasons: tuple[Reason, ...], hidden: tuple[Reason, ...]) -> tuple[Reason, ...]:
    """The reasons, and the hidden inputs that are not among them."""
    known = {(reason.code, reason.message) for reason in reasons}
    return (*reasons, *(reason for reason in hidden if (reason.code, reason.message) not in known))
