"""state_check: the query that finds every stored row whose hidden state cannot be right."""

from __future__ import annotations

from trickle.apply.printed import printed
from trickle.apply.target import Target
from trickle.layouts.check import StoredState
from trickle.planning.compile import CompiledView
from trickle.planning.exact_check import adds_up, computed, pinned_sources
from trickle.planning.instants import AsOf
from trickle.sql.build import union_all


def state_check(view: CompiledView, target: Target, at: AsOf) -> str:
    """Rows with impossible counts, with states other than recomputing at the recorded versions gives, and with
    visible columns that do not follow from their states. Empty ⇔ the next refresh may build upon the stored rows.
    """
    state = StoredState(target, pinned_sources(view, at), lambda: computed(view, at), adds_up(view))
    return printed(union_all(view.layout.problems(state)))
