"""Tables and stream tables as logs on disk, refreshed by the real decision without Spark.

What a statement would have written is left to the caller: a refresh commits its stamp and a file, and nothing is read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.catalog.pins import Invocations
from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog, storage_name
from dbt.adapters.trickle.catalog.spark_catalog import SparkCatalog
from dbt.adapters.trickle.history.delta_files import DeltaLog, last_stamp
from dbt.adapters.trickle.history.histories import Histories
from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.refreshing.decide import RefreshInput, decide
from dbt.adapters.trickle.refreshing.decision import Decision
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.versions.plan_cache import NO_PLANS
from tests.adapter.catalog_entry import described, written_properties
from tests.adapter.log_builder import LogBuilder, metadata, remove
from trickle import Reason, Stamp

SCHEMA = "s"


class Columns:
    """Spark's answers: by default every query of a lake has the columns a and b."""

    def __init__(self) -> None:
        self.of: dict[str, Sequence[tuple[str, str]]] = {}

    def schema_of(self, sql: str) -> Sequence[tuple[str, str]]:
        return self.of.get(sql, (("a", "int"), ("b", "string")))

    def same_meaning(self, one: str, other: str) -> bool:
        return True

    def can_read(self, sql: str) -> bool:
        return True

    def only_here(self, sql: str) -> str:
        return ""


class Table(LogBuilder):
    """With the checksum file that Delta writes next to a commit; definitions are read from it in long logs."""

    def commit(self, operation: str, *actions: dict[str, Any], **info: Any) -> LogBuilder:
        super().commit(operation, *actions, **info)
        self.definition = next((one["metaData"] for one in actions if "metaData" in one), self.definition)
        content = {"metadata": self.definition, "allFiles": [], "domainMetadata": []}
        (self.log / f"{self.version:020d}.crc").write_text(json.dumps(content), encoding="utf-8")
        return self

    definition: Any = None


class Lake:
    """Base tables by name, stream tables by name, and one clock for all of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tables: dict[str, LogBuilder] = {}
        self.invocations = Invocations()
        self.histories: Histories | None = None
        """What a run shares; None: every refresh looks at the logs by itself."""
        self.analyst = Columns()
        self.views: dict[str, str] = {}
        self.facades: dict[str, list[tuple[object, ...]]] = {}
        self.nodes: dict[str, Node] = {}
        self.contract: Mapping[str, str] = {"ansi": "true"}
        self.restored: tuple[Reason, ...] = ()
        self.plans = NO_PLANS
        self.clock = 1_000_000
        self.started: int | None = None
        """When the run started; None: it starts with each model."""

    def table(self, name: str, table_id: str = "one") -> LogBuilder:
        """A new base table with some rows."""
        self._tick(name, Table(self.folder / SCHEMA / name)).create(table_id=table_id)
        return self.append(name)

    def append(self, name: str) -> LogBuilder:
        table = self._tick(name)
        return self._done(table.append(f"f{table.version + 1}"))

    def update(self, name: str) -> LogBuilder:
        """Rows change in place: their files are rewritten."""
        table = self._tick(name)
        return self._done(table.commit("UPDATE", remove("f1"), table.add(f"u{table.version + 1}")))

    def replace(self, name: str) -> LogBuilder:
        """The commit of dbt's own `table` materialization at every run."""
        if name not in self.tables:
            return self.table(name, table_id=name)
        table = self._tick(name)
        fresh = metadata(table_id=f"{name}{table.version + 1}")
        return self._done(table.commit("CREATE OR REPLACE TABLE AS SELECT", fresh, table.add(f"r{table.version + 1}")))

    def optimize(self, name: str) -> LogBuilder:
        table = self._tick(name)
        return self._done(table.commit("OPTIMIZE", table.add(f"o{table.version + 1}", data_change=False)))

    def node(self, name: str, reads: Sequence[str] = (), materialized: str = "stream_table") -> None:
        """Add a model to dbt's graph."""
        ids = tuple(f"model.p.{one}" for one in reads)
        self.nodes[f"model.p.{name}"] = Node(
            f"model.p.{name}", "model", name, SCHEMA, name, materialized, reads=ids, label=name
        )

    def source(self, name: str) -> None:
        """Add a source to dbt's graph, under the id of a model: only names matter here."""
        self.nodes[f"model.p.{name}"] = Node(f"model.p.{name}", "source", name, SCHEMA, name, "source", label=name)

    def decide(self, model: str, sql: str, run: str, full: bool = False, **config: Any) -> Decision:
        relation = TrickleRelation.create(schema=SCHEMA, identifier=model)
        asked = RefreshInput(
            model={"unique_id": f"model.p.{model}", "config": config, "columns": {}},
            relation=relation,
            storage=TrickleRelation.create(schema=SCHEMA, identifier=storage_name(model)),
            sql=sql,
            full_refresh=full,
            run_instant=self.clock if self.started is None else self.started,
            invocation=run,
            began=self.clock,
            contract=self.contract,
            restored=self.restored,
            plans=self.plans,
            facade_exists=True,
            nodes=self.nodes,
        )
        warehouse = SourceCatalog(
            SparkCatalog(lambda schema, name: self.folder / schema / name, self._ask),
            SCHEMA,
            self.invocations.of(run),
            histories=self.histories,
        )
        return decide(asked, warehouse, self._storage_of_this_run(model), self.analyst)

    def refresh(self, model: str, sql: str, run: str, full: bool = False, **config: Any) -> Decision:
        """Decide, commit the stamp and a file, and end the refresh."""
        decision = self.decide(model, sql, run, full, **config)
        self.commit(model, decision)
        decision.log.by_now()
        self.tell(model, decision)
        return decision

    def commit(self, model: str, decision: Decision, changes_rows: bool = True) -> None:
        plan = decision.plan
        self.facades[model] = described(decision)
        if decision.stamp is None:
            return
        storage = self._tick(storage_name(model), Table(self.folder / SCHEMA / storage_name(model)))
        properties = written_properties(plan)
        columns = self.analyst.schema_of(decision.query)
        fields = (*((name, {"int": "integer"}.get(kind, kind)) for name, kind in columns), ("__trickle_count", "long"))
        actions: list[dict[str, Any]] = []
        if plan.creates:
            actions.append(metadata(fields=fields, table_id=model, **properties))
        if changes_rows or plan.creates:
            actions.append(storage.add(f"m{storage.version + 1}"))
        operation = "CREATE OR REPLACE TABLE AS SELECT" if plan.creates else "MERGE"
        self._done(storage.commit(operation, *actions, userMetadata=decision.stamp.to_json()))

    def tell(self, model: str, decision: Decision) -> None:
        """What trickle_run does once a refresh has ended."""
        refreshed = decision.reading.refreshed_table(self.storage(model).latest, decision.probes)
        self.invocations.of(decision.invocation).add_refreshed(f"{SCHEMA}.{model}", refreshed)

    def storage(self, model: str) -> DeltaLog:
        return DeltaLog(self.folder / SCHEMA / storage_name(model))

    def _storage_of_this_run(self, model: str) -> DeltaLog:
        log = self.storage(model)
        return log if self.histories is None else self.histories.for_reading(log.path)

    def stamp(self, model: str) -> Stamp:
        stamped = last_stamp(self.storage(model))
        assert stamped is not None, f"{model} was never refreshed"
        return stamped.stamp

    def versions(self, decision: Decision) -> Mapping[str, int]:
        """Source → the version it is read at, without the schema."""
        return {name.removeprefix(f"{SCHEMA}."): version for name, version in decision.reading.read.items()}

    def vector(self, decision: Decision) -> Mapping[str, int]:
        return {name.removeprefix(f"{SCHEMA}."): version for name, version in decision.reading.versions.items()}

    def _tick(self, name: str, new: LogBuilder | None = None) -> LogBuilder:
        table = self.tables.setdefault(name, new) if new is not None else self.tables[name]
        table.clock = self.clock
        return table

    def _done(self, table: LogBuilder) -> LogBuilder:
        self.clock = table.clock
        return table

    def _ask(self, sql: str) -> Sequence[tuple[object, ...]]:
        """The catalog knows every storage that has files, and the views; nothing else is to be asked."""
        name = sql.removesuffix(" as json").rpartition(".")[2].strip("`")
        if sql.startswith("describe query"):
            return [("a", "int", ""), ("b", "string", "")]
        if sql.endswith(" as json"):
            return [(json.dumps({"view_text": self.views[name]}),)]
        if sql.startswith("describe table extended") and name in self.views:
            columns = [("a", "int", ""), ("b", "string", ""), ("", "", ""), ("# Detailed Table Information", "", "")]
            return [*columns, ("Type", "VIEW", ""), ("View Text", self.views[name], "")]
        if sql.startswith("describe table extended") and name in self.facades:
            return self.facades[name]
        if sql.startswith("describe table extended") and storage_name(name) in self.tables:
            marks = f"[trickle.storage={SCHEMA}.{storage_name(name)}]"
            return [("", "", ""), ("Type", "VIEW", ""), ("View Text", "", ""), ("Table Properties", marks, "")]
        if sql.startswith("describe table extended") and sql.rstrip("`").endswith("__trickle"):
            return [("Type", "MANAGED", "")]
        raise AssertionError(f"Spark was asked: {sql}")
