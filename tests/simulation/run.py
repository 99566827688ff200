"""Runs of dbt on a simulated clock: the real due rule, the real choice of versions, the real decision.

Only what Spark would have computed is computed here, row by row, from the versions the decision says it reads.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol

from dbt.adapters.trickle.refreshing.refresh import Decision
from tests.adapter.lake import Lake
from tests.simulation.dag import BASES, BY_NAME, MODELS, STREAMS, Model, Rows, downstream
from trickle.graph.demand import Graph, Vertex
from trickle.schedule.due import Due
from trickle.schedule.parse import parse_schedule

STARTING = (10_000, 40_000)
"""What dbt and Spark take to start, in milliseconds."""

REFRESHING = (2_000, 30_000)
"""What a refresh takes."""

SCHEDULED = {
    model.name: parse_schedule(model.schedule, "UTC") if model.schedule is not None else None for model in MODELS
}
GRAPH = Graph(
    {name: Vertex(name) for name in BASES}
    | {
        model.name: Vertex(model.name, model.reads, model.kind == "stream_table", SCHEDULED[model.name])
        for model in MODELS
    }
)


class Versions:
    """The rows of one table by version; a version without an entry has the rows of the previous one."""

    def __init__(self) -> None:
        self._versions: list[int] = []
        self._rows: list[Rows] = []

    def add(self, version: int, rows: Rows) -> None:
        self._versions.append(version)
        self._rows.append(rows)

    def at(self, version: int) -> Rows:
        return self._rows[bisect_right(self._versions, version) - 1]


@dataclass
class Outcome:
    """The result of one run."""

    tick: int
    refreshed: dict[str, Decision] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    ages: dict[str, int] = field(default_factory=dict)
    """Table → how old its rows had become, in milliseconds, when this run's took their place."""
    ended: int = 0
    """When the run ended."""


class Shop:
    """The lake with its rows, and everything that has ever been refreshed."""

    def __init__(self, folder: Path, random: Random, threads: int) -> None:
        self.lake = Lake(folder)
        self.random = random
        self.threads = threads
        self.rows: defaultdict[str, Versions] = defaultdict(Versions)
        self.last: dict[str, int] = {}
        self.vectors: dict[str, Mapping[str, int]] = {}
        self.runs = 0
        for name in BASES:
            self.lake.table(name)
            self.rows[name].add(1, self._some_rows(8))
            self.lake.source(name)
        for model in MODELS:
            self.lake.node(model.name, model.reads, model.kind)
        self.lake.views = {model.name: model.sql for model in MODELS if model.kind == "view"}

    def rows_at(self, table: str, version: int) -> Rows:
        return self.rows[table].at(version)

    def stored(self, model: str) -> Rows:
        return self.rows_at(model, self.lake.storage(model).latest)

    def run(self, tick: int, selected: frozenset[str] | None = None, failing: float = 0.0) -> Outcome:
        """One `dbt run` that starts at `tick`; sources change before, between and during nodes."""
        self.runs += 1
        outcome = Outcome(tick, ended=tick + self.random.randint(*STARTING))
        self.lake.clock = max(self.lake.clock, tick)
        self.lake.started = tick
        due = GRAPH.due({model.name: self.last.get(model.name) for model in STREAMS}, tick, selected)
        waiting = [model for model in MODELS if selected is None or model.name in selected]
        skipped: set[str] = set()
        while waiting:
            ready = self._ready(waiting)
            waiting = [model for model in waiting if model not in ready]
            begun = [(model, self._begin(model)) for model in ready if self._goes(model, due, skipped)]
            self.random.shuffle(begun)
            for model, decision in begun:
                self._somebody_writes()
                if self.random.random() < failing:
                    outcome.failed.add(model.name)
                    skipped |= downstream(model.name)
                else:
                    self._end(model, decision, outcome)
        return outcome

    def write(self) -> None:
        """One commit to one source."""
        name = self.random.choice(BASES)
        before = self.rows_at(name, self.lake.tables[name].version)
        kind = self.random.choice(("append", "update", "optimize", "append"))
        if kind == "append":
            self.lake.append(name)
            self._keep(name, before + self._some_rows(1))
        elif kind == "update":
            self.lake.update(name)
            kept = Counter(dict(self.random.sample(sorted(before.items()), max(1, len(before) - 2))))
            self._keep(name, kept + self._some_rows(1))
        else:
            self.lake.optimize(name)

    def _ready(self, waiting: list[Model]) -> list[Model]:
        """As many models as there are threads, none of which waits for another."""
        names = {model.name for model in waiting}
        ready = [model for model in waiting if not any(model.name in downstream(name) for name in names)]
        return self.random.sample(ready, min(len(ready), self.threads))

    def _goes(self, model: Model, due: Mapping[str, Due], skipped: set[str]) -> bool:
        if model.name in skipped or model.kind in ("view", "ephemeral"):
            return False
        return model.kind == "table" or due[model.name].due

    def _begin(self, model: Model) -> Decision | None:
        """Decide; a plain table has nothing to decide."""
        if model.kind == "table":
            return None
        return self.lake.decide(model.name, model.sql, f"run-{self.runs}")

    def _end(self, model: Model, decision: Decision | None, outcome: Outcome) -> None:
        name = model.name
        if decision is None:
            now = {read: self.rows_at(read, self._latest(read)) for read in model.reads}
            self.lake.replace(name)
            self._keep(name, model.query(now))
            return
        inputs = {read: self.rows_at(read, version) for read, version in self.lake.versions(decision).items()}
        if decision.plan.writes:
            before = self.stored(name) if decision.log.exists else None
            after = model.query(inputs)
            self.lake.commit(name, decision, changes_rows=before != after)
            self._keep(name, after)
        self.lake.tell(name, decision)
        outcome.ended += self.random.randint(*REFRESHING) // self.threads
        if name in self.last:
            # At the latest, rows are those of the moment at which their run started.
            outcome.ages[name] = outcome.ended - self.last[name]
        self.last[name] = outcome.tick
        self.vectors[name] = self.lake.vector(decision)
        outcome.refreshed[name] = decision

    def _keep(self, table: str, rows: Rows) -> None:
        self.rows[table].add(self._latest(table), rows)

    def _latest(self, table: str) -> int:
        return self.lake.tables[table].version if table in self.lake.tables else self.lake.storage(table).latest

    def _somebody_writes(self) -> None:
        for _ in range(self.random.choice((0, 0, 1, 2))):
            self.write()

    def _some_rows(self, most: int) -> Rows:
        return Counter((self.random.randint(0, 9), self.random.choice("xyz")) for _ in range(most))


class AtVersions(Protocol):
    """Whatever knows the rows of tables at versions."""

    def rows_at(self, table: str, version: int) -> Rows: ...


def flat(shop: AtVersions, table: str, vector: Mapping[str, int]) -> Rows:
    """The whole query of a table, over base tables at one vector; a table that dbt rebuilds is one of them."""
    if table in vector:
        return shop.rows_at(table, vector[table])
    model = BY_NAME[table]
    reads = model.reads
    if model.kind in ("view", "ephemeral"):
        return model.query({name: flat(shop, name, vector) for name in reads})
    inlined = {inner for name in reads for inner in _through(name)}
    return model.query({name: flat(shop, name, vector) for name in inlined})


def _through(name: str) -> tuple[str, ...]:
    """The tables that a model reads, through views and ephemeral models."""
    model = BY_NAME.get(name)
    if model is None or model.kind not in ("view", "ephemeral"):
        return (name,)
    return tuple(inner for read in model.reads for inner in _through(read))
