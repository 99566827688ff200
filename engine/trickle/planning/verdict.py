"""judge: whether a refresh has nothing to do, must start over, must recompute, or may maintain; and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Optional

from typing_extensions import assert_never

from trickle.apply.refresh_plan import Action
from trickle.catalog.contract import contract_change
from trickle.catalog.frontier import Stamp
from trickle.catalog.happened import (
    Altered,
    Appended,
    Changed,
    FeedMissing,
    First,
    Happened,
    HistoryLost,
    MaintenanceOnly,
    NotVersioned,
    Overwritten,
    Recreated,
    Unchanged,
)
from trickle.catalog.probe import Probe
from trickle.errors import Reason
from trickle.options import RefreshMode
from trickle.plan.instant import Clock
from trickle.planning.compile import CompiledView
from trickle.planning.instants import shows_another_instant
from trickle.reasons import HIDDEN_INPUT_REASONS, reason

ROUTINES = "routines"
"""In a stamp: the users' functions a query calls, function → fingerprint."""


@dataclass(frozen=True)
class Judgement:
    """An action before anything is priced. `rebuilds` distinguishes a FULL that makes a new table from one that
    refills the table there is.
    """

    action: Action
    reason: Reason
    rebuilds: bool = False


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
    # A query that is recomputed reads no changes, and is recomputed for its own reasons.
    lost = _lost_source(probes) if view.incremental else None
    if lost is not None:
        return Judgement(Action.FULL, lost)
    if any(why.code in HIDDEN_INPUT_REASONS for why in view.reasons):
        return Judgement(Action.FULL, _recomputed(view))
    changed_calls = clock is not None and bool(clock.changed_calls(view.clock_calls))
    if not changed_calls and all(probe.is_quiet for probe in probes.values()):
        maintained = any(isinstance(probe.happened, MaintenanceOnly) for probe in probes.values())
        return Judgement(Action.NO_DATA, reason("only_maintenance" if maintained else "no_source_changed"))
    if not view.incremental:
        return Judgement(Action.FULL, _recomputed(view))
    if view.options.refresh_mode is RefreshMode.FULL:
        return Judgement(Action.FULL, reason("forced_full"))
    threshold = _above_threshold(view, probes)
    if threshold is not None:
        return Judgement(Action.FULL, threshold)
    return Judgement(Action.INCREMENTAL, reason("few_changes", detail="priced below"))


def _recomputed(view: CompiledView) -> Reason:
    return reason("recompute", detail=" ".join(why.sentence() for why in view.reasons))


def _start_over(
    view: CompiledView, state: Optional[Stamp], probes: Mapping[str, Probe], contract: Mapping[str, str]
) -> Optional[Reason]:
    """Why the stored rows are of no use for this view any more."""
    if state is None:
        return reason("state_missing", what="somebody else wrote it, or its history is gone")
    redefined = definition_change(state, view)
    if redefined is not None:
        return redefined
    changed = contract_change(state, contract)
    if changed is not None:
        return reason("contract_changed", what=changed)
    if shows_another_instant(state, view.clock_calls):
        return reason("shows_another_instant")
    for name, probe in sorted(probes.items()):
        if isinstance(probe.happened, Recreated):
            return reason("source_recreated", what=name)
        if isinstance(probe.happened, First):
            return reason("new_source", what=name)
    return None


def definition_change(state: Stamp, view: CompiledView) -> Optional[Reason]:
    """What changed in the definition since the rows were stored; None where nothing did."""
    if state.definition == view.definition:
        return None
    before = state.extra.get(ROUTINES)
    known = before if isinstance(before, Mapping) else {}
    now = view.routines.fingerprints
    replaced = sorted(name for name in {*now, *view.routines.unknown} & set(known) if known[name] != now.get(name))
    return reason("definition_changed", what=f"The function {replaced[0]}" if replaced else "The SELECT")


def _lost_source(probes: Mapping[str, Probe]) -> Optional[Reason]:
    """Why the change of some source cannot be read, so that all sources are read whole."""
    lost = (_why_lost(name, probe.happened) for name, probe in sorted(probes.items()))
    return next((why for why in lost if why is not None), None)


def _why_lost(name: str, happened: Happened) -> Optional[Reason]:
    """Why the change of one source cannot be read; None where it can, or there is none."""
    match happened:
        case Overwritten(changes=None):
            return reason("source_replaced", what=name, detail=happened.detail)
        case Altered():
            return reason("source_altered", what=name, detail=happened.detail)
        case HistoryLost():
            return reason("source_unreadable", what=name, detail=happened.detail)
        case FeedMissing() | Appended(changes=None):
            return reason("feed_missing", what=name, detail=happened.detail)
        case NotVersioned():
            return reason("source_not_versioned", what=name)
        case First() | Unchanged() | MaintenanceOnly() | Appended() | Changed() | Overwritten() | Recreated():
            return None
        case _:
            assert_never(happened)


def _above_threshold(view: CompiledView, probes: Mapping[str, Probe]) -> Optional[Reason]:
    threshold = view.options.full_refresh_threshold
    if threshold is None or view.options.refresh_mode is RefreshMode.INCREMENTAL:
        return None
    changed = sum(probe.volume.rows for probe in probes.values())
    rows = sum(probe.size.rows for probe in probes.values())
    share = changed / rows if rows else 1.0
    if share <= threshold:
        return None
    return reason("above_threshold", detail=f"{share:.0%} changed, {threshold:.0%} allowed")
