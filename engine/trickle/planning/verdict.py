"""judge: whether a refresh has nothing to do, must start over, must recompute, or may maintain; and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Optional

from trickle.apply.refresh_plan import Action
from trickle.catalog.contract import contract_change
from trickle.catalog.frontier import Stamp
from trickle.catalog.probe import Happened, Probe
from trickle.errors import Reason
from trickle.options import RefreshMode
from trickle.plan.instant import Clock
from trickle.planning.compile import CompiledView
from trickle.planning.instants import QUIET, shows_another
from trickle.reasons import HIDDEN_INPUT_REASONS, reason

ROUTINES = "routines"
"""In a stamp: the users' functions a query calls, function → fingerprint."""


@dataclass(frozen=True)
class Judgement:
    """An action before anything is priced. `rebuilds` tells a FULL that makes a new table from one that refills it."""

    action: Action
    reason: Reason
    rebuilds: bool = False


def is_changed(probe: Probe) -> bool:
    """Whether the source's change is read from its feed. Replaced with the same columns is overwritten."""
    return probe.happened in (Happened.APPENDED, Happened.CHANGED) or (
        probe.happened is Happened.REPLACED and probe.feed
    )


def judge(
    view: CompiledView,
    exists: bool,
    state: Optional[Stamp],
    probes: Mapping[str, Probe],
    contract: Mapping[str, str],
    full_refresh: bool,
    rebuild: Optional[Reason] = None,
    clock: Optional[Clock] = None,
) -> Judgement:
    """The first rule that applies, most drastic first."""
    if not exists and rebuild is None:
        return Judgement(Action.FULL, reason("first_build"), rebuilds=True)
    if full_refresh:
        return Judgement(Action.FULL, reason("full_refresh"), rebuilds=True)
    if rebuild is not None:
        return Judgement(Action.REINITIALIZE, rebuild)
    starting_over = _start_over(view, state, probes, contract)
    if starting_over is not None:
        return Judgement(Action.REINITIALIZE, starting_over)
    # A query that is recomputed reads no changes: it misses none, and its own reasons are why.
    lost = _lost_source(probes) if view.incremental else None
    if lost is not None:
        return Judgement(Action.FULL, lost)
    if any(one.code in HIDDEN_INPUT_REASONS for one in view.reasons):
        return Judgement(Action.FULL, _recomputed(view))
    changed_calls = clock is not None and bool(clock.changed_calls(view.clock_calls))
    if not changed_calls and all(probe.happened in QUIET for probe in probes.values()):
        code = (
            "only_maintenance"
            if any(one.happened is Happened.MAINTENANCE for one in probes.values())
            else "no_source_changed"
        )
        return Judgement(Action.NO_DATA, reason(code))
    if not view.incremental:
        return Judgement(Action.FULL, _recomputed(view))
    if view.options.refresh_mode is RefreshMode.FULL:
        return Judgement(Action.FULL, reason("forced_full"))
    threshold = _above_threshold(view, probes)
    if threshold is not None:
        return Judgement(Action.FULL, threshold)
    return Judgement(Action.INCREMENTAL, reason("few_changes", detail="priced below"))


def _recomputed(view: CompiledView) -> Reason:
    return reason("recompute", detail=" ".join(one.sentence() for one in view.reasons))


def _start_over(
    view: CompiledView, state: Optional[Stamp], probes: Mapping[str, Probe], contract: Mapping[str, str]
) -> Optional[Reason]:
    """Why the stored rows say nothing about this view any more."""
    if state is None:
        return reason("state_missing", what="somebody else wrote it, or its history is gone")
    redefined = definition_change(state, view)
    if redefined is not None:
        return redefined
    changed = contract_change(state, contract)
    if changed is not None:
        return reason("contract_changed", what=changed)
    if shows_another(state, view.clock_calls):
        return reason("shows_another_instant")
    for name, probe in sorted(probes.items()):
        if probe.happened is Happened.RECREATED:
            return reason("source_recreated", what=name)
        if probe.before is None and probe.happened is not Happened.NOT_VERSIONED:
            return reason("new_source", what=name)
    return None


def definition_change(state: Stamp, view: CompiledView) -> Optional[Reason]:
    """What the stored rows mean that the view does not; None where they mean the same."""
    if state.definition == view.definition:
        return None
    before = state.extra.get(ROUTINES)
    known = before if isinstance(before, Mapping) else {}
    now = view.routines.fingerprints
    replaced = sorted(name for name in {*now, *view.routines.unknown} & set(known) if known[name] != now.get(name))
    return reason("definition_changed", what=f"The function {replaced[0]}" if replaced else "The SELECT")


def _lost_source(probes: Mapping[str, Probe]) -> Optional[Reason]:
    """Why a source's change cannot be read, so that everything is."""
    for name, probe in sorted(probes.items()):
        match probe.happened:
            case Happened.REPLACED if not probe.feed:
                return reason("source_replaced", what=name, detail=probe.detail)
            case Happened.ALTERED:
                return reason("source_altered", what=name, detail=probe.detail)
            case Happened.UNREADABLE:
                return reason("source_unreadable", what=name, detail=probe.detail)
            case Happened.FEED_MISSING:
                return reason("feed_missing", what=name, detail=probe.detail)
            case Happened.NOT_VERSIONED:
                return reason("source_not_versioned", what=name)
            case Happened.APPENDED if not probe.readable:
                return reason("feed_missing", what=name, detail=probe.detail)
            case _:
                continue
    return None


def _above_threshold(view: CompiledView, probes: Mapping[str, Probe]) -> Optional[Reason]:
    threshold = view.options.full_refresh_threshold
    if threshold is None or view.options.refresh_mode is RefreshMode.INCREMENTAL:
        return None
    changed = sum(probe.rows_changed for probe in probes.values())
    rows = sum(probe.table_rows for probe in probes.values())
    share = changed / rows if rows else 1.0
    if share <= threshold:
        return None
    return reason("above_threshold", detail=f"{share:.0%} changed, {threshold:.0%} allowed")
