"""Every statement that would be right for a refresh, not only the cheapest: a proof must cover all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Optional

from trickle import Action, CompiledView, Probe, RefreshMode, RefreshPlan, Request, Stamp, Statement, Target, plan_refresh
from trickle.apply.price import Sizes
from trickle.apply.strategies import Prices, strategies
from trickle.catalog.probe import Happened
from trickle.delta.differentiate import SourceChange, differentiate
from trickle.delta.simplify import simplify
from trickle.delta.state import Groups
from trickle.plan.change import Change
from trickle.refresh import binding_for
from trickle.sql.text import to_text
from trickle.verdict import is_changed


@dataclass(frozen=True)
class Way:
    """A strategy and the statement that carries it out."""

    strategy: str
    statement: Statement


def every_way(
    view: CompiledView, target: Target, state: Optional[Stamp], probes: Mapping[str, Probe], request: Request, plan: RefreshPlan
) -> Iterator[Way]:
    """The strategies that are right for this change, and the plain recomputation. Nothing for plans that have no choice."""
    if plan.action not in (Action.APPEND, Action.INCREMENTAL):
        return
    change = _change(view, probes)
    prices = Prices({name: Sizes(probe.table_rows, probe.rows_added) for name, probe in probes.items()}, request.rates)
    for strategy in strategies(change, view.layout, target, binding_for(view, target, probes), prices):
        why = f"verify {strategy.name}"
        yield Way(strategy.name, Statement(strategy.kind, to_text(strategy.build()), why))
    whole = replace(view, options=replace(view.options, refresh_mode=RefreshMode.FULL))
    for statement in plan_refresh(whole, target, state, probes, request).statements:
        yield Way("overwrite_all", statement)


def _change(view: CompiledView, probes: Mapping[str, Probe]) -> Change:
    changed = {
        name: SourceChange(probe.happened is Happened.APPENDED)
        for name, probe in probes.items()
        if is_changed(probe)
    }
    root = view.layout.aggregate.child if isinstance(view.layout, Groups) else view.plan
    change = differentiate(root, changed)
    return Change(change.before, change.after, simplify(change.delta))
