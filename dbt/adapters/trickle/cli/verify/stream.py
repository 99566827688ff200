"""One stream table while a scenario runs: compiled once, refreshed at every step, compared after each."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Optional

from dbt.adapters.trickle.catalog.answers import Answers, Resolve, answered
from dbt.adapters.trickle.cli.verify.ring import Ring, RingCannot, Row
from dbt.adapters.trickle.cli.verify.rows import difference
from dbt.adapters.trickle.cli.verify.scenario import StreamQuery
from dbt.adapters.trickle.cli.verify.ways import Way, data_of, every_way
from trickle import (
    Action,
    Column,
    CompiledView,
    Facts,
    Options,
    Probe,
    RefreshMode,
    RefreshPlan,
    Request,
    Schema,
    Stamp,
    StreamTable,
    Target,
    compile_view,
    plan_refresh,
)
from trickle.catalog.frontier import Frontier
from trickle.catalog.reads import repeated
from trickle.plan.instant import Instants
from trickle.plan.names import Names
from trickle.planning.exact_check import computed
from trickle.planning.instants import AsOf, clock_of
from trickle.planning.refresh import Situation, plan_instead
from trickle.reasons import HIDDEN_INPUT_REASONS
from trickle.sql.text import to_text

STORAGE = "__trickle"
CONTRACT = {"time_zone": "UTC"}


class Inexact(Exception):
    """A stream table is not its query: what was done, and the first difference."""


_MERGING = re.compile(r"\b(natural|using)\b", re.IGNORECASE)
"""Joins that show one column for two."""

FORESEEN = ("rows_run_out", "recursion_limit", "bad_value", "sum_overflows")
"""Why a right refresh may give up before it writes."""


@dataclass(frozen=True)
class RefreshOutcome:
    """What the engine wanted to do, and the right way that was taken."""

    planned: RefreshPlan
    taken: RefreshPlan


@dataclass
class Stream:
    """A stream table on a ring. `stamp` is what its last refresh wrote."""

    ring: Ring
    query: StreamQuery
    view: CompiledView
    target: Target
    read_on: bool = False
    """Whether another stream table of the scenario reads this one."""
    stamp: Optional[Stamp] = None

    @property
    def relation(self) -> StreamTable:
        return StreamTable(self.target.facade, self.view.shown.columns, self.target.storage)

    def refresh(self, now: int, turn: int, all_ways: bool) -> RefreshOutcome:
        """Plan a refresh and run it by one right strategy in turn; with `all_ways`, try all the others first."""
        probes = self.probes()
        request = Request(self.query.name, now, CONTRACT)
        situation = Situation(self.view, self.target, self.stamp, probes, request)
        plan = plan_refresh(self.view, self.target, self.stamp, probes, request)
        clock = clock_of(self.stamp, probes, now, CONTRACT)
        expected = self._recomputed(clock.after)
        ways = every_way(self.view, self.target, self.stamp, probes, request, plan)
        for way in ways if all_ways else ():
            rows = self._attempted(way, situation, plan)
            self._compare(rows, expected, f"{way.strategy} on {_happened(probes)}")
        taken = _taking(plan, ways[turn % len(ways)]) if ways else plan
        taken = self._committed(situation, taken)
        if taken.stamp is not None:
            self.stamp = taken.stamp
        self.target = replace(self.target, exists=True, rows=100)
        self._compare(self.rows(), expected, f"{taken.action.value} by {taken.strategy} on {_happened(probes)}")
        self._must_rest(now)
        return RefreshOutcome(plan, taken)

    def _attempted(self, way: Way, situation: Situation, plan: RefreshPlan) -> list[Row]:
        try:
            return self.ring.attempt(self.target.storage, way.data, self._shown)
        except self.ring.errors as error:
            data = data_of(self._instead(situation, plan, error))
            return self.ring.attempt(self.target.storage, data, self._shown)

    def _committed(self, situation: Situation, plan: RefreshPlan) -> RefreshPlan:
        try:
            self.ring.commit(self.target.storage, self.target.facade, plan, self.read_on)
        except self.ring.errors as error:
            plan = self._instead(situation, plan, error)
            self.ring.commit(self.target.storage, self.target.facade, plan, self.read_on)
        return plan

    def _instead(self, situation: Situation, plan: RefreshPlan, error: Exception) -> RefreshPlan:
        """What to do when a stored order has run out of rows, or a recursion has met Spark's limits.

        Any other failure is one, also those a run would mend.
        """
        instead = plan_instead(situation, plan, self.ring.failure(error))
        if instead is None or instead.reason.code not in FORESEEN:
            raise error
        return instead

    def rows(self) -> list[Row]:
        return self.ring.rows(self._shown)

    def _recomputed(self, instants: Instants) -> list[Row]:
        try:
            # What the text leaves to chance, the plan decides: two answers of the text itself may differ.
            decided = self.view.settles_ties or self.view.clock_calls
            text = to_text(computed(self.view, AsOf(Frontier({}), instants))) if decided else self.view.text
            return self.ring.rows(text)
        except self.ring.exhaustions:
            raise
        except self.ring.errors as error:
            raise RingCannot(self.ring.sentence(error)) from error

    def probes(self) -> dict[str, Probe]:
        """What happened to every source since this table's own frontier."""
        frontier = self.stamp.frontier if self.stamp is not None else None
        return {
            source.name: self.ring.probe(
                source.physical, source.name, frontier.position(source.name) if frontier else None
            )
            for source in self.view.sources
        }

    @property
    def _shown(self) -> str:
        return to_text(repeated(self.target.storage, self.view.columns.names))

    def _compare(self, rows: list[Row], expected: list[Row], subject: str) -> None:
        fault = difference(rows, expected)
        if fault is not None:
            raise Inexact(f"{self.query.name}: {subject}: {fault}")

    def _must_rest(self, now: int) -> None:
        """Right after a refresh there is nothing left to do, unless the query asks what time it is, or who asks."""
        if any(why.code in HIDDEN_INPUT_REASONS for why in self.view.reasons):
            return
        again = plan_refresh(self.view, self.target, self.stamp, self.probes(), Request(self.query.name, now, CONTRACT))
        if again.action is not Action.NO_DATA:
            wanted = f"it wants {again.action.value}: {again.reason.sentence()}"
            raise Inexact(f"{self.query.name}: planned again from its new frontier, {wanted}")


def compiled(ring: Ring, query: StreamQuery, resolve: Resolve, schema: str, read_on: bool) -> Stream:
    """The stream table, ready for its first refresh. Never FULL for being cheap: maintaining is to be proved."""
    names = Names()
    # A table needs unique names, so columns that share one are renamed: their values must be proved all the same.
    try:
        columns = ring.columns_of(query.sql)
    except RingCannot:
        # A wrong name is the query's fault and not the database's.
        _compiled(query.sql, resolve)
        raise
    output = Schema(tuple(Column(names.fresh(name), kind) for name, kind in columns))
    if ring.merges_in_place and _MERGING.search(query.sql):
        _must_agree(output.names, _compiled(query.sql, resolve).columns.names, ring)
    view = _compiled(query.sql, resolve, output)
    if view.incremental:
        view = replace(view, options=Options(refresh_mode=RefreshMode.INCREMENTAL))
    target = Target((schema, query.name), (schema, query.name + STORAGE))
    return Stream(ring, query, view, target, read_on)


def _compiled(sql: str, resolve: Resolve, output: Optional[Schema] = None) -> CompiledView:
    view, _ = answered(lambda facts: compile_view(sql, facts), Answers(resolve), Facts(output=output))
    return view


def _must_agree(actual: tuple[str, ...], expected: tuple[str, ...], ring: Ring) -> None:
    """The same columns in another order would be written into each other."""
    if actual != expected and sorted(actual) == sorted(expected):
        raise RingCannot(f"{ring.name} shows its columns in another order: {', '.join(actual)}")


def _taking(plan: RefreshPlan, way: Way) -> RefreshPlan:
    """The same refresh by another right strategy, with its own action and stamp."""
    action = {"append": Action.APPEND, "overwrite_all": Action.FULL}.get(way.strategy, Action.INCREMENTAL)
    stamp = None if plan.stamp is None else replace(plan.stamp, action=action.value, strategy=way.strategy)
    return replace(plan, action=action, strategy=way.strategy, steps=tuple(way.data), stamp=stamp)


def _happened(probes: dict[str, Probe]) -> str:
    return ", ".join(f"{name.split('.')[-1]} {probe.happened.label}" for name, probe in sorted(probes.items()))
