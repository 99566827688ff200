"""House: a source and a storage whose logs are written by hand, and the decisions that a refresh makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.catalog.spark_catalog import SparkCatalog
from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.ports import Capabilities, StatementFailed
from dbt.adapters.trickle.refreshing.decide import RefreshInput, decide
from dbt.adapters.trickle.refreshing.decision import Decision
from dbt.adapters.trickle.relation import TrickleRelation
from tests.adapter.catalog_entry import described, written_properties
from tests.adapter.log_builder import LogBuilder, metadata
from trickle import Failure, RefreshPlan
from trickle.apply.steps import PutView

SELECT = "SELECT a, b FROM s.t WHERE a > 0"


def puts_view(plan: RefreshPlan) -> bool:
    return any(isinstance(step, PutView) for step in plan.steps)


class Analyst:
    """Spark's answers for SELECT."""

    def schema_of(self, sql: str) -> Sequence[tuple[str, str]]:
        return (("a", "int"), ("b", "string"))

    def same_meaning(self, one: str, other: str) -> bool:
        return True

    def can_read(self, sql: str) -> bool:
        return True

    def only_here(self, sql: str) -> str:
        return ""


class House:
    """A source `s.t`, and a storage that is written the way the adapter writes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.source = LogBuilder(folder / "s" / "t").create().append("f1", rows=10)
        self.storage = LogBuilder(folder / "s" / "m__trickle")
        self.registered = True
        self.capabilities = Capabilities()
        self.elsewhere = False
        self.view: Sequence[tuple[object, ...]] = ()

    def decide(
        self, config: Mapping[str, Any] | None = None, sql: str = SELECT, full: bool = False, seen: bool = True
    ) -> Decision:
        relation = TrickleRelation.create(schema="s", identifier="m")
        asked = RefreshInput(
            model={"unique_id": "model.p.m", "config": dict(config or {}), "columns": {}},
            relation=relation,
            storage=TrickleRelation.create(schema="s", identifier="m__trickle"),
            sql=sql,
            full_refresh=full,
            run_instant=5_000_000,
            invocation="run-1",
            began=5_000_100,
            contract={"ansi": "true"},
            facade_exists=seen,
            storage_elsewhere=self.elsewhere,
            capabilities=self.capabilities,
        )
        warehouse = SourceCatalog(SparkCatalog(lambda schema, name: self.folder / schema / name, self.ask), "s")
        return decide(asked, warehouse, DeltaLog(self.storage.path), Analyst())

    def build(self, decision: Decision) -> None:
        """Commit what a data statement would have committed, then the markers."""
        plan = decision.plan
        fields = (("a", "integer"), ("b", "string"), ("__trickle_count", "long"))
        properties = written_properties(plan)
        assert decision.stamp is not None
        actions = [metadata(fields=fields, table_id="m")] if plan.creates else []
        actions.append(self.storage.add(f"m{self.storage.version}"))
        self.storage.commit("WRITE", *actions, userMetadata=decision.stamp.to_json())
        if puts_view(plan):
            self.view = described(decision)
        if plan.creates:
            self.storage.commit("SET TBLPROPERTIES", metadata(fields=fields, table_id="m", **properties))

    def ask(self, sql: str) -> Sequence[tuple[object, ...]]:
        """What stands in front of the storage, and before a view stands, whether the catalog knows the storage."""
        if sql == "describe table extended `s`.`m`":
            return self.view
        if sql != "describe table extended `s`.`m__trickle`":
            raise AssertionError(f"Spark was asked: {sql}")
        if not self.registered:
            raise StatementFailed(Failure("TABLE_OR_VIEW_NOT_FOUND", "42P01", "s.m__trickle"))
        return [("Type", "MANAGED", "")]
