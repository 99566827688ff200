"""Every way that would be right for a refresh, not only the cheapest: a proof must cover all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Optional

from trickle import Action, CompiledView, Probe, RefreshMode, RefreshPlan, Request, Stamp, Target, plan_refresh
from trickle.apply.materialized_parts import staged
from trickle.apply.price import Sizes
from trickle.apply.steps import DataStep, NameFiles, Stage, Write
from trickle.apply.strategy import Prices, Strategy, StrategyInput
from trickle.planning.binding import binding_for
from trickle.planning.instants import clock_of
from trickle.planning.named_files import with_named_files
from trickle.planning.refresh import change_of


@dataclass(frozen=True)
class Way:
    """A strategy, and how to make the steps that carry it out: made only for those that are run."""

    strategy: str
    make: Callable[[], Sequence[DataStep]]

    @cached_property
    def data(self) -> Sequence[DataStep]:
        return self.make()


def every_way(
    view: CompiledView,
    target: Target,
    state: Optional[Stamp],
    probes: Mapping[str, Probe],
    request: Request,
    plan: RefreshPlan,
) -> list[Way]:
    """The strategies that are right for this change, and plain recomputation. None for plans without a choice."""
    if plan.action not in (Action.APPEND, Action.INCREMENTAL):
        return []
    clock = clock_of(state, probes, request.now, request.contract, request.data_timestamp)
    binding = binding_for(view, target, probes, clock)
    change = change_of(view, probes, binding.statistics, clock)
    prices = Prices({name: Sizes(probe.size.rows, probe.volume.added) for name, probe in probes.items()}, request.rates)
    right = view.layout.strategies(StrategyInput(change, target, binding, prices))
    whole = replace(view, options=replace(view.options, refresh_mode=RefreshMode.FULL))
    full = Way("overwrite_all", lambda: data_of(plan_refresh(whole, target, state, probes, request)))
    return [*(Way(strategy.name, partial(_data, strategy, view, target, probes)) for strategy in right), full]


def data_of(plan: RefreshPlan) -> list[DataStep]:
    """The steps of a plan that compute and write rows of a storage that is kept."""
    return [step for step in plan.steps if isinstance(step, (NameFiles, Stage, Write))]


def _data(strategy: Strategy, view: CompiledView, target: Target, probes: Mapping[str, Probe]) -> Sequence[DataStep]:
    return with_named_files(view, target, probes, staged(strategy.kind, strategy.build(), f"verify {strategy.name}"))
