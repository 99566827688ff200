"""The ways of bringing a result up to date that are compared. Each has a target of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from dbt.adapters.contracts.relation import RelationType

from benchmarks.cells import Cell
from benchmarks.place import SCHEMA, Place
from benchmarks.sources import Sources
from dbt.adapters.trickle.catalog.source_catalog import storage_name
from dbt.adapters.trickle.refreshing.decide import RefreshInput, decide
from dbt.adapters.trickle.refreshing.decision import Decision
from dbt.adapters.trickle.refreshing.execute import execute
from dbt.adapters.trickle.refreshing.refresh import refresh_of
from dbt.adapters.trickle.relation import TrickleRelation
from trickle import RefreshPlan, Step
from trickle.apply.steps import Create, Stage, Write

MODES = ("full", "incremental", "auto")
CREATE, MERGE = "create", "merge"
NAMES = (*MODES, CREATE, MERGE)


@dataclass(frozen=True)
class Outcome:
    """What a refresh did, and what it thought that would cost."""

    action: str = ""
    strategy: str = ""
    planning: float = 0.0
    """Wall seconds until the statement was known."""
    prices: dict[str, float] = field(default_factory=dict)


class Way(Protocol):
    """Something that can be brought up to date and read."""

    name: str

    def prepare(self) -> None:
        """What is done outside the clock, before a round's refresh."""

    def refresh(self) -> Outcome:
        """Bring the target to the sources' newest versions."""

    def is_built(self) -> bool:
        """Whether there is a result at all."""

    def result(self) -> str:
        """A query of what users see."""


class StreamTable:
    """A model as dbt runs it: decide on the logs, run the statement with its stamp, verify the commit."""

    def __init__(self, place: Place, sources: Sources, cell: Cell, name: str, mode: str) -> None:
        self.name = name
        self.place = place
        self.sql = cell.query(sources)
        self.identifier = f"{cell.name}_{sources.rows}_{name}"
        self._facade = ""
        self._model: dict[str, Any] = {
            "unique_id": f"model.bench.{self.identifier}",
            "config": {"materialized": "stream_table", "refresh_mode": mode},
            "columns": {},
        }

    def prepare(self) -> None:
        """Nothing: sources and target are all there is."""

    def refresh(self) -> Outcome:
        started = time.monotonic()
        decision = self.decide()
        planning = time.monotonic() - started
        execution = execute(refresh_of(replace(decision, plan=_without_view(decision))), self.place.session)
        self._facade = decision.facade.sql
        plan = execution.refresh.plan
        return Outcome(plan.action.value, plan.strategy, planning, dict(plan.prices))

    def is_built(self) -> bool:
        return bool(self._facade)

    def result(self) -> str:
        return self._facade

    def decide(self) -> Decision:
        now = int(time.time() * 1000)
        asked = RefreshInput(
            model=self._model,
            relation=_relation(self.identifier, RelationType.View),
            storage=_relation(storage_name(self.identifier), RelationType.Table),
            sql=self.sql,
            full_refresh=False,
            run_instant=now,
            began=now,
            invocation=f"{self.identifier}-{time.monotonic_ns()}",
            contract=self.place.contract,
            facade_exists=True,
        )
        log = self.place.log(storage_name(self.identifier))
        return decide(asked, self.place.describe_sources(), log, self.place.analyst)


def _relation(identifier: str, kind: RelationType) -> TrickleRelation:
    relation = TrickleRelation.create(schema=SCHEMA, identifier=identifier, type=kind)
    assert isinstance(relation, TrickleRelation)
    return relation


def _without_view(decision: Decision) -> RefreshPlan:
    """The table by itself, as the other ways make it.

    With the view's marker: without it, every later refresh would ask Spark whether it knows the table.
    """
    steps: list[Step] = [step for step in decision.plan.steps if isinstance(step, (Stage, Create, Write))]
    marked = [
        replace(step, properties={**step.properties, **decision.target.table.markers})
        if isinstance(step, Create)
        else step
        for step in steps
    ]
    return replace(decision.plan, steps=tuple(marked))


class PlainCreate:
    """dbt's `table`: CREATE OR REPLACE TABLE AS the user's SELECT, nothing beside it."""

    name = CREATE

    def __init__(self, place: Place, sources: Sources, cell: Cell) -> None:
        self._place = place
        self._query = cell.query(sources)
        self._table = f"{SCHEMA}.{cell.name}_{sources.rows}_create"

    def prepare(self) -> None:
        """Nothing: it always starts over."""

    def refresh(self) -> Outcome:
        self._place.rows(f"create or replace table {self._table} using delta as {self._query}")
        return Outcome()

    def is_built(self) -> bool:
        return self._place.log(self._table.partition(".")[2]).exists

    def result(self) -> str:
        return f"select * from {self._table}"


class BareMerge:
    """What an engineer would write by hand, with the rows to write computed beforehand, outside the clock."""

    name = MERGE

    def __init__(self, place: Place, sources: Sources, cell: Cell) -> None:
        self._place = place
        self._sources = sources
        self._cell = cell
        self._query = cell.query(sources)
        self._table = f"{SCHEMA}.{cell.name}_{sources.rows}_merge"
        self._staged = f"{self._table}_staged"
        self._version = -1

    def prepare(self) -> None:
        version = self._place.log(self._sources.orders.partition(".")[2]).latest
        if self._version >= 0:
            # On their own: Spark 4.2 takes table_changes() for the table itself where a query reads both by name.
            touched = self._cell.touched(self._sources, self._version + 1)
            self._place.rows(f"create or replace table {self._staged}_keys using delta as {touched}")
            matches = " and ".join(f"t.{name} <=> r.{name}" for name in self._cell.key)
            keys = ", ".join(f"t.{name} as touched_{name}" for name in self._cell.key)
            self._place.rows(
                f"create or replace table {self._staged} using delta as "
                f"select {keys}, r.* from {self._staged}_keys t left join ({self._query}) r on {matches}"
            )
        self._version = version

    def refresh(self) -> Outcome:
        if self.is_built():
            self._place.rows(self._merge())
        else:
            self._place.rows(
                f"create table {self._table} using delta "
                f"tblproperties ('delta.enableDeletionVectors' = 'true') as {self._query}"
            )
        return Outcome()

    def is_built(self) -> bool:
        return self._place.log(self._table.partition(".")[2]).exists

    def result(self) -> str:
        return f"select * from {self._table}"

    def _merge(self) -> str:
        first = self._cell.key[0]
        matches = " and ".join(f"t.{name} = s.touched_{name}" for name in self._cell.key)
        return (
            f"merge into {self._table} t using {self._staged} s on {matches} "
            f"when matched and s.{first} is null then delete "
            f"when matched then update set * when not matched and s.{first} is not null then insert *"
        )


def every_way(place: Place, sources: Sources, cell: Cell) -> tuple[Way, ...]:
    """In the order of NAMES. The MERGE knows changes of orders and returns only."""
    ways: list[Way] = [StreamTable(place, sources, cell, mode, mode) for mode in MODES]
    ways.append(PlainCreate(place, sources, cell))
    if not sources.both_sides:
        ways.append(BareMerge(place, sources, cell))
    return tuple(ways)
