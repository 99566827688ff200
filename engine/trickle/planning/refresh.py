"""plan_refresh: from a compiled view, its last stamp and what happened to its sources, to the steps of a refresh."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Optional

from sqlglot import exp

from trickle.apply.materialized_parts import staged
from trickle.apply.order import steps_of_build, steps_of_change
from trickle.apply.price import MILLION, Rates, Sizes, estimate
from trickle.apply.printed import printed
from trickle.apply.refresh_plan import Action, RefreshPlan
from trickle.apply.steps import Kind, Stage, Step, Write
from trickle.apply.strategy import Prices, Strategy, StrategyInput
from trickle.apply.target import Target, insert_overwrite
from trickle.catalog.frontier import MESSAGE, Frontier, Stamp
from trickle.catalog.happened import Appended, NotVersioned
from trickle.catalog.probe import Probe
from trickle.catalog.reads import repeated
from trickle.delta.differentiate import SourceChange
from trickle.delta.passes import change_to_apply
from trickle.errors import InvalidView, Reason
from trickle.operators import Empty, Recompute
from trickle.options import RefreshMode
from trickle.plan.change import Change
from trickle.plan.instant import Clock
from trickle.plan.names import shown_name
from trickle.plan.ranges import ColumnStatistics
from trickle.planning.binding import binding_for, row_counts
from trickle.planning.compile import CompiledView
from trickle.planning.fallback import Failure, reason_to_recompute
from trickle.planning.instants import clock_of
from trickle.planning.learned_prices import ESTIMATED, FULL, LEARNED, times_its_estimate
from trickle.planning.named_files import named_files, with_named_files
from trickle.planning.pinned_text import pinned_now
from trickle.planning.verdict import ROUTINES, judge
from trickle.reasons import reason
from trickle.render.reads import Binding
from trickle.render.render import render

ENGINE_VERSION = "0.2"


@dataclass(frozen=True)
class Request:
    """What one run wants of a view, and the facts about the run that its plan and stamp need."""

    node: str
    now: int
    """The instant of the run, epoch milliseconds."""
    contract: Mapping[str, str]
    full_refresh: bool = False
    rebuild: Optional[Reason] = None
    """Why the caller distrusts the stored rows: they are built anew."""
    storage_id: str = ""
    data_timestamp: Optional[int] = None
    """The newest commit of the base tables behind the sources, where the caller knows it."""
    number: Optional[int] = None
    """The number of this refresh; None: the one after the last."""
    marks: Mapping[str, object] = field(default_factory=dict)
    """What else the stamp is to keep."""
    waiting: Optional[Reason] = None
    """Why something newer is left unread, and so why nothing is done where there is nothing to do."""
    notes: tuple[Reason, ...] = ()
    """What else is worth showing beside the plan."""
    rates: Rates = field(default_factory=Rates)
    learned: Mapping[str, float] = field(default_factory=dict)
    """Strategy → how many times its estimate it takes, as past refreshes have shown."""
    stages: bool = True
    """Whether queries can be computed once, before the statement that reads them."""


@dataclass(frozen=True)
class Situation:
    """All that a refresh is planned from."""

    view: CompiledView
    target: Target
    state: Optional[Stamp]
    probes: Mapping[str, Probe]
    request: Request

    @cached_property
    def clock(self) -> Clock:
        request = self.request
        return clock_of(self.state, self.probes, request.now, request.contract, request.data_timestamp)

    @property
    def binding(self) -> Binding:
        return binding_for(self.view, self.target, self.probes, self.clock)

    @property
    def prices(self) -> Prices:
        return Prices(_sizes(self.probes), self.request.rates)


def plan_refresh(
    view: CompiledView, target: Target, state: Optional[Stamp], probes: Mapping[str, Probe], request: Request
) -> RefreshPlan:
    """The one decision of a refresh, with its reason, and the steps that carry it out."""
    for source in view.sources:
        if source.physical == target.storage:
            raise InvalidView(f"the model reads itself: {source.name}", remedy="Read what it is made from.")
    at = Situation(view, target, state, probes, request)
    wanted = request.contract, request.full_refresh, request.rebuild
    judged = judge(view, target.exists, state, probes, *wanted, clock=at.clock)
    match judged.action:
        case Action.NO_DATA:
            return _nothing(at, judged.reason)
        case Action.REINITIALIZE:
            return _build(at, judged.action, judged.reason)
        case Action.FULL:
            build = _build if judged.rebuilds else _recompute
            return build(at, judged.action, judged.reason)
        case _:
            return _maintain(at)


def _nothing(at: Situation, why: Reason) -> RefreshPlan:
    """No rows to write; the price is what recomputing would have cost."""
    prices = {"full": round(_price_of_full(at), 2)}
    steps = steps_of_change((), _shown(at), at.target)
    return RefreshPlan(Action.NO_DATA, at.request.waiting or why, "none", steps, None, at.request.notes, prices)


def _writing(
    at: Situation,
    action: Action,
    why: Reason,
    strategy: str,
    steps: tuple[Step, ...],
    notes: tuple[Reason, ...] = (),
    estimated: float | None = None,
) -> RefreshPlan:
    """A plan that writes, with the stamp that goes into its commit."""
    stamp = _stamp(at, action, why, strategy, _estimate_of_full(at) if estimated is None else estimated)
    return RefreshPlan(action, why, strategy, steps, stamp, (*notes, *at.request.notes))


def _changed(at: Situation, data: Sequence[Stage | Write]) -> tuple[Step, ...]:
    return steps_of_change(with_named_files(at.view, at.target, at.probes, data), _shown(at), at.target)


def _shown(at: Situation) -> str:
    return facade_select(at.view, at.target)


def facade_select(view: CompiledView, target: Target) -> str:
    """The SELECT of the view users read."""
    return printed(view.layout.shown(target.storage, view.shown.names))


def select_at_version(target: Target, stored: Sequence[str], version: int) -> str:
    """The SELECT of what a storage with these columns showed at a version, whatever the model is by now."""
    return printed(repeated(target.storage, tuple(stored), version, tuple(map(shown_name, stored))))


def _fill(at: Situation) -> exp.Query:
    """The SELECT that fills the whole storage."""
    binding = at.binding

    def result() -> exp.Expr:
        return render(at.view.plan, binding) if at.view.settles_ties else pinned_now(at.view, at.probes, at.clock)

    return at.view.layout.fill(binding, result)


def _build(at: Situation, action: Action, why: Reason) -> RefreshPlan:
    """A new storage table and the view over it."""
    query = printed(_fill(at))
    named = named_files(at.view, at.target, at.probes, [query])
    steps = (*named, *steps_of_build(query, _shown(at), at.target))
    return _writing(at, action, why, "create", steps, at.view.reasons)


def _recompute(at: Situation, action: Action, why: Reason) -> RefreshPlan:
    """The whole result anew: only the differences for a query that is always recomputed, else all of it.

    Differences read the query more than once, which Spark 4.2 cannot do with every recursion ("key not found").
    """
    asked_for_all = at.view.options.refresh_mode is RefreshMode.FULL
    if isinstance(at.view.plan, Recompute) and not asked_for_all and not at.view.pinned.recurs:
        return _differences(at, at.view.plan, why)
    query = insert_overwrite(at.target, _fill(at))
    data = [Write(Kind.OVERWRITE, printed(query), "recompute all rows")]
    return _writing(at, action, why, "overwrite_all", _changed(at, data), at.view.reasons)


def _differences(at: Situation, plan: Recompute, why: Reason) -> RefreshPlan:
    """New result minus stored rows, merged: downstream sees only what really changed."""
    change = Change(plan, plan, plan.difference())
    every = at.view.layout.strategies(StrategyInput(change, at.target, at.binding, at.prices))
    taken = next(strategy for strategy in every if strategy.name == "recount")
    data = _data(at, taken, "write the differences to the recomputed rows")
    return _writing(at, Action.FULL, why, taken.name, _changed(at, data), at.view.reasons)


def _maintain(at: Situation) -> RefreshPlan:
    """The change brought into the stored rows in the cheapest right way, unless recomputing is cheaper still."""
    view, binding = at.view, at.binding
    change = change_of(view, at.probes, binding.statistics, at.clock)
    if isinstance(change.delta, Empty):
        return _nothing(at, reason("no_source_changed"))
    every = view.layout.strategies(StrategyInput(change, at.target, binding, at.prices))
    prices = {
        strategy.name: strategy.seconds * times_its_estimate(strategy.name, at.request.learned) for strategy in every
    }
    taken = min(every, key=lambda strategy: prices[strategy.name])
    price, whole = prices[taken.name], _price_of_full(at)
    compared = {name: round(seconds, 2) for name, seconds in {**prices, "full": whole}.items()}
    if at.view.options.refresh_mode is RefreshMode.AUTO and whole < price:
        detail = f"{whole:.1f} s against {price:.1f} s by {taken.name}"
        return replace(_recompute(at, Action.FULL, reason("cheaper_full", detail=detail)), prices=compared)
    action = Action.APPEND if taken.name == "append" else Action.INCREMENTAL
    why = _why(at.view, action, taken.name, price, whole)
    data = _data(at, taken, f"apply the change by {taken.name}")
    plan = _writing(at, action, why, taken.name, _changed(at, data), estimated=taken.seconds)
    return replace(plan, prices=compared)


def _data(at: Situation, taken: Strategy, why: str) -> Sequence[Stage | Write]:
    if at.request.stages:
        return staged(taken.kind, taken.build(), why, taken.planned_once)
    return [Write(taken.kind, printed(taken.build()), why, taken.planned_once)]


def plan_instead(at: Situation, plan: RefreshPlan, failure: Failure) -> Optional[RefreshPlan]:
    """What to do instead of a plan whose data could not be written; None: the failure is the refresh's own.

    Only for a plan that maintains: a statement may find, when it is too late to plan, that it cannot build upon what
    is stored, and recomputing builds upon nothing.
    """
    if plan.action not in (Action.APPEND, Action.INCREMENTAL):
        return None
    why = reason_to_recompute(failure)
    return None if why is None else _recompute(at, Action.FULL, why)


def change_of(
    view: CompiledView, probes: Mapping[str, Probe], statistics: Mapping[str, ColumnStatistics], clock: Clock
) -> Change:
    """The change of what the strategies take as input, by what happened to the sources and the clock."""
    changed = {
        name: SourceChange(only_inserts=isinstance(probe.happened, Appended))
        for name, probe in probes.items()
        if probe.changes is not None
    }
    changed_calls = clock.changed_calls(view.clock_calls)
    counts = row_counts(probes)
    return change_to_apply(view.maintained, changed, statistics, view.options.disabled_rewrites, changed_calls, counts)


def _why(view: CompiledView, action: Action, strategy: str, price: float, whole: float) -> Reason:
    if view.options.refresh_mode is RefreshMode.INCREMENTAL:
        return reason("forced_incremental")
    if action is Action.APPEND:
        return reason("only_added")
    return reason("few_changes", detail=f"{price:.1f} s by {strategy} against {whole:.1f} s in full")


def _price_of_full(at: Situation) -> float:
    return _estimate_of_full(at) * times_its_estimate(FULL, at.request.learned)


def _estimate_of_full(at: Situation) -> float:
    prices = at.prices
    work = estimate(at.view.plan, prices.sizes, at.target.rows, prices.rates)
    return prices.rates.overwrite + work.seconds + at.target.rows / MILLION * prices.rates.write


def _sizes(probes: Mapping[str, Probe]) -> dict[str, Sizes]:
    return {name: Sizes(probe.size.rows, probe.volume.rows, probe.files) for name, probe in probes.items()}


def _stamp(at: Situation, action: Action, why: Reason, strategy: str, estimated: float) -> Stamp:
    learned = dict(sorted(at.request.learned.items()))
    prices: dict[str, object] = {ESTIMATED: round(estimated, 3), **({LEARNED: learned} if learned else {})}
    positions = {
        name: probe.now for name, probe in sorted(at.probes.items()) if not isinstance(probe.happened, NotVersioned)
    }
    following = at.state.refresh + 1 if at.state is not None else 1
    return Stamp(
        node=at.request.node,
        refresh=following if at.request.number is None else at.request.number,
        action=action.value,
        reason=why.code,
        strategy=strategy,
        definition=at.view.definition,
        contract=dict(at.request.contract),
        frontier=Frontier(positions, at.clock.after.now if at.view.clock_calls else None),
        data_timestamp=at.clock.after.data,
        engine=ENGINE_VERSION,
        storage_id=at.request.storage_id,
        extra={MESSAGE: why.sentence(), **_called(at.view), **prices, **at.request.marks},
    )


def _called(view: CompiledView) -> dict[str, object]:
    """The users' functions of a query, for a stamp."""
    return {ROUTINES: dict(sorted(view.routines.fingerprints.items()))} if view.routines.fingerprints else {}
