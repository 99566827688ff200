"""The compared approaches to bring a result up to date. Each has a target of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from dbt.adapters.contracts.relation import RelationType

from benchmarks.cells import Cell
from benchmarks.sources import Sources
from benchmarks.workspace import SCHEMA, Workspace
from dbt.adapters.trickle.names import storage_name
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
    """The action and strategy of a refresh, and its prices."""

    action: str = ""
    strategy: str = ""
    planning: float = 0.0
    """Wall seconds of planning."""
    prices: dict[str, float] = field(default_factory=dict)


class Approach(Protocol):
    """A target that can be refreshed and read."""

    name: str

    def prepare(self) -> None:
        """Work before a round's refresh that is not measured."""

    def refresh(self) -> Outcome:
        """Bring the target to the sources' newest versions."""

    def is_built(self) -> bool:
        """Whether there is a result."""

    def result(self) -> str:
        """A query of the visible rows."""


class StreamTable:
    """A model as dbt runs it: decide on the logs, run the statement with its stamp, verify the commit."""

    def __init__(self, workspace: Workspace, sources: Sources, cell: Cell, name: str, mode: str) -> None:
        self.name = name
        self.workspace = workspace
        self.sql = cell.query(sources)
        self.identifier = f"{cell.name}_{sources.rows}_{name}"
        self._facade = ""
        self._model: dict[str, Any] = {
            "unique_id": f"model.bench.{self.identifier}",
            "config": {"materialized": "stream_table", "refresh_mode": mode},
            "columns": {},
        }

    def prepare(self) -> None:
        """Nothing to prepare."""

    def refresh(self) -> Outcome:
        started = time.monotonic()
        decision = self.decide()
        planning = time.monotonic() - started
        execution = execute(refresh_of(replace(decision, plan=_without_view(decision))), self.workspace.session)
        self._facade = decision.facade.sql
        plan = execution.refresh.plan
        return Outcome(plan.action.value, plan.strategy, planning, dict(plan.prices))

    def is_built(self) -> bool:
        return bool(self._facade)

    def result(self) -> str:
        return self._facade

    def decide(self) -> Decision:
        now = int(time.time() * 1000)
        options = RefreshInput(
            model=self._model,
            relation=_relation(self.identifier, RelationType.View),
            storage=_relation(storage_name(self.identifier), RelationType.Table),
            sql=self.sql,
            full_refresh=False,
            run_instant=now,
            began=now,
            invocation=f"{self.identifier}-{time.monotonic_ns()}",
            contract=self.workspace.contract,
            facade_exists=True,
        )
        log = self.workspace.log(storage_name(self.identifier))
        return decide(options, self.workspace.describe_sources(), log, self.workspace.analyst)


def _relation(identifier: str, kind: RelationType) -> TrickleRelation:
    relation = TrickleRelation.create(schema=SCHEMA, identifier=identifier, type=kind)
    assert isinstance(relation, TrickleRelation)
    return relation


def _without_view(decision: Decision) -> RefreshPlan:
    """The plan for the table alone, as the other approaches create it.

    The table gets the view's marker: without it, every later refresh would ask Spark whether it knows the table.
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
    """dbt's `table`: only CREATE OR REPLACE TABLE AS the user's SELECT."""

    name = CREATE

    def __init__(self, workspace: Workspace, sources: Sources, cell: Cell) -> None:
        self._workspace = workspace
        self._query = cell.query(sources)
        self._table = f"{SCHEMA}.{cell.name}_{sources.rows}_create"

    def prepare(self) -> None:
        """Nothing to prepare: it always starts over."""

    def refresh(self) -> Outcome:
        self._workspace.rows(f"create or replace table {self._table} using delta as {self._query}")
        return Outcome()

    def is_built(self) -> bool:
        return self._workspace.log(self._table.partition(".")[2]).exists

    def result(self) -> str:
        return f"select * from {self._table}"


class BareMerge:
    """A MERGE as an engineer would write it by hand, of rows that are computed before, unmeasured."""

    name = MERGE

    def __init__(self, workspace: Workspace, sources: Sources, cell: Cell) -> None:
        self._workspace = workspace
        self._sources = sources
        self._cell = cell
        self._query = cell.query(sources)
        self._table = f"{SCHEMA}.{cell.name}_{sources.rows}_merge"
        self._staged = f"{self._table}_staged"
        self._version = -1

    def prepare(self) -> None:
        version = self._workspace.log(self._sources.orders.partition(".")[2]).latest
        if self._version >= 0:
            # In a table of their own: Spark 4.2 confuses table_changes() with the table if a query reads both by name.
            touched = self._cell.touched(self._sources, self._version + 1)
            self._workspace.rows(f"create or replace table {self._staged}_keys using delta as {touched}")
            matches = " and ".join(f"t.{name} <=> r.{name}" for name in self._cell.key)
            keys = ", ".join(f"t.{name} as touched_{name}" for name in self._cell.key)
            self._workspace.rows(
                f"create or replace table {self._staged} using delta as "
                f"select {keys}, r.* from {self._staged}_keys t left join ({self._query}) r on {matches}"
            )
        self._version = version

    def refresh(self) -> Outcome:
        if self.is_built():
            self._workspace.rows(self._merge())
        else:
            self._workspace.rows(
                f"create table {self._table} using delta "
                f"tblproperties ('delta.enableDeletionVectors' = 'true') as {self._query}"
            )
        return Outcome()

    def is_built(self) -> bool:
        return self._workspace.log(self._table.partition(".")[2]).exists

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


def all_approaches(workspace: Workspace, sources: Sources, cell: Cell) -> tuple[Approach, ...]:
    """The approaches in the order of NAMES. The MERGE supports only changes of orders and returns."""
    approaches: list[Approach] = [StreamTable(workspace, sources, cell, mode, mode) for mode in MODES]
    approaches.append(PlainCreate(workspace, sources, cell))
    if not sources.both_sides:
        approaches.append(BareMerge(workspace, sources, cell))
    return tuple(approaches)
