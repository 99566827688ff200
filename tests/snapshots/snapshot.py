"""A snapshot: a query over the shop, what changed, and the SQL that follows. Three kinds of SQL are kept."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.facts import compiled
from tests.snapshots.shop import CLOCK, CONTRACT, Kind, last_stamp, probes, resolve
from trickle import (
    CompiledView,
    Options,
    Probe,
    RefreshMode,
    Request,
    Schema,
    Step,
    Target,
    exact_check,
    plan_refresh,
    step_sql,
)
from trickle.apply.price import Rates
from trickle.apply.replace_groups import recomputed_groups
from trickle.apply.state_changes import changes_of_state
from trickle.apply.steps import Create, PutView
from trickle.catalog.change_sources import ChangedRows
from trickle.catalog.happened import Appended, Changed
from trickle.delta.differentiate import SourceChange
from trickle.delta.passes import change_to_apply
from trickle.layouts.groups import Groups
from trickle.plan.change import Change
from trickle.plan.op import Op, walk
from trickle.plan.ranges import ColumnStatistics
from trickle.planning.binding import binding_for
from trickle.planning.instants import as_of
from trickle.render.render import render
from trickle.sql.text import to_text

FOLDER = Path(__file__).parent
TARGET = Target(("shop", "example"), ("shop", "example__trickle"), rows=1_000_000, exists=True)
NOTHING_KNOWN = ColumnStatistics()
NEVER = 1e6
"""Seconds nobody would spend: what the strategies that a snapshot is not about are said to cost."""


@dataclass(frozen=True)
class Snapshot:
    """One file: `name` is its path below this folder without the suffix."""

    name: str
    about: str
    query: str
    show: Callable[[Snapshot], str]
    happened: Mapping[str, Kind] = field(default_factory=dict)
    output: Schema | None = None
    """Spark's answer for the columns, where the engine must be told."""
    rows: ChangedRows | None = None
    """How the changed rows are read, where the sources have no change feed."""
    statistics: ColumnStatistics = NOTHING_KNOWN
    """What the logs tell of every source's values."""

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.sql"

    @property
    def view(self) -> CompiledView:
        return self.compiled(RefreshMode.AUTO)

    def compiled(self, mode: RefreshMode) -> CompiledView:
        return compiled(self.query, resolve, self.output, Options(refresh_mode=mode))

    def probes(self, view: CompiledView) -> dict[str, Probe]:
        found = probes(view, self.happened, self.rows)
        return {name: replace(probe, statistics=self.statistics) for name, probe in found.items()}

    def text(self) -> str:
        """What the file must hold: the sentence, the query, what changed, and the SQL."""
        told = [*textwrap.wrap(self.about, 110), *(f"  {line}" for line in self.query.splitlines()), *self._changes()]
        lines = [*(f"-- {line}" for line in told), *self.show(self).splitlines()]
        return "\n".join([*(line.rstrip() for line in lines), ""])

    def _changes(self) -> list[str]:
        words: Mapping[Kind, str] = {Appended: "only gained rows", Changed: "gained and lost rows"}
        return [f"{source} {words[kind]}" for source, kind in self.happened.items()]

    def change(self) -> Change:
        """The change of what is stored: of a top grouping's input where there is one."""
        return self.applied(self.view.maintained)

    def applied(self, maintained: Op) -> Change:
        changed_calls = CLOCK.changed_calls(self.view.clock_calls)
        return change_to_apply(maintained, self.changed(), self.told, changed_calls=changed_calls)

    @property
    def told(self) -> Mapping[str, ColumnStatistics]:
        return {source.name: self.statistics for source in self.view.sources}

    def rendered(self, plan: Op) -> str:
        view = self.view
        return to_text(render(plan, binding_for(view, TARGET, self.probes(view), CLOCK)))

    def changed(self) -> dict[str, SourceChange]:
        found = self.probes(self.view)
        return {
            name: SourceChange(isinstance(probe.happened, Appended))
            for name, probe in found.items()
            if probe.changes is not None
        }


def delta(snapshot: Snapshot) -> str:
    """The change of the whole query: rows with their weight."""
    return snapshot.rendered(snapshot.applied(snapshot.view.plan).delta)


def part(kind: type[Op]) -> Callable[[Snapshot], str]:
    """The part of a refresh that stands under the first operator of a kind."""

    def show(snapshot: Snapshot) -> str:
        return snapshot.rendered(next(op for plan in _plans(snapshot) for op in walk(plan) if isinstance(op, kind)))

    return show


def _plans(snapshot: Snapshot) -> list[Op]:
    view, change = snapshot.view, snapshot.change()
    if not isinstance(view.layout, Groups):
        return [change.delta]
    return [changes_of_state(change.delta, view.layout), recomputed_groups(change, view.layout)]


def refresh(
    strategy: str, mode: RefreshMode = RefreshMode.INCREMENTAL, exists: bool = True
) -> Callable[[Snapshot], str]:
    """The statements of a refresh, planned as every refresh is, on a warehouse where this strategy is the cheapest."""

    def show(snapshot: Snapshot) -> str:
        view = snapshot.compiled(mode)
        rates = _rates(strategy)
        request = Request("model.shop.example", 2_000, CONTRACT, rates=rates)
        target = TARGET if exists else Target(TARGET.facade, TARGET.storage)
        stamp = last_stamp(view) if exists else None
        plan = plan_refresh(view, target, stamp, snapshot.probes(view), request)
        assert plan.strategy == strategy, f"{snapshot.name}: the refresh takes {plan.strategy}"
        return "\n\n".join(f"-- {step.kind}: {step.why}\n{_text(step).rstrip()};" for step in plan.steps)

    return show


def _text(step: Step) -> str:
    """Of a table and a view, the query: what is around it says nothing of maintaining."""
    return step.query if isinstance(step, (Create, PutView)) else step_sql(step)


def _rates(strategy: str) -> Rates:
    match strategy:
        case "append" | "extend":
            return Rates(merge=NEVER, overwrite=NEVER)
        case "overwrite":
            return Rates(merge=NEVER, append=NEVER)
        case "replace_groups":
            return Rates(append=NEVER, overwrite=NEVER)
        case _:
            return Rates(append=NEVER, overwrite=NEVER)


def check(snapshot: Snapshot) -> str:
    """The query behind the test `stream_table_exact`."""
    view = snapshot.view
    return exact_check(view, TARGET, as_of(last_stamp(view)))
