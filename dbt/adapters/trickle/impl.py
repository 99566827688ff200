"""The adapter: dbt-spark's, over the embedded warehouse."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbt.adapters.base.impl import ConstraintSupport
from dbt.adapters.base.relation import BaseRelation
from dbt.adapters.capability import Capability, CapabilityDict, CapabilitySupport, Support
from dbt.adapters.events.logging import AdapterLogger
from dbt.adapters.spark.column import SparkColumn
from dbt.adapters.spark.impl import SparkAdapter, SparkConfig
from dbt_common.contracts.constraints import ConstraintType

from dbt.adapters.trickle.catalog.listing import relations_from
from dbt.adapters.trickle.connections import TrickleConnectionManager
from dbt.adapters.trickle.dbt_macro_stack import without_our_macros
from dbt.adapters.trickle.methods.monitoring import MonitoringMethods
from dbt.adapters.trickle.options.grants import refuse_grants
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.warehouses.embedded.catalog_cache import CATALOG
from dbt.adapters.trickle.warehouses.embedded.checkup import checkup

if TYPE_CHECKING:
    import agate

logger = AdapterLogger("Trickle")
DEFAULT_FILE_FORMAT = "delta"
BUILT_BY_SPARK = frozenset({"table", "view", "incremental", "seed", "snapshot"})
"""Materializations that start Spark whenever they run."""


@dataclass
class TrickleConfig(SparkConfig):
    file_format: str = DEFAULT_FILE_FORMAT


class TrickleAdapter(MonitoringMethods, SparkAdapter):
    Relation = TrickleRelation
    ConnectionManager = TrickleConnectionManager
    AdapterSpecificConfigs = TrickleConfig
    CONSTRAINT_SUPPORT = {  # noqa: RUF012 - the parent declares it without ClassVar
        **SparkAdapter.CONSTRAINT_SUPPORT,
        ConstraintType.check: ConstraintSupport.ENFORCED,
        ConstraintType.not_null: ConstraintSupport.ENFORCED,
    }

    # Not in a batch: a log is read in milliseconds, and one source without a log would fail the whole batch.
    _capabilities = CapabilityDict({Capability.TableLastModifiedMetadata: CapabilitySupport(support=Support.Full)})

    def pre_model_hook(self, config: Any) -> None:
        """Set the default file format to Delta: dbt-spark's materializations read the config themselves."""
        self.connections.running.text = getattr(config.model, "compiled_code", None) or ""
        node_config = config.model.config
        if str(node_config.get("materialized")) in BUILT_BY_SPARK:
            CATALOG.mixed()
        refuse_grants(node_config.get("grants"))
        if node_config.get("file_format") is None:
            node_config["file_format"] = DEFAULT_FILE_FORMAT

    def post_model_hook(self, config: Any, context: Any) -> None:
        """Remove our macros from a pending error: dbt runs this hook while an error of the model or test is raised."""
        without_our_macros(sys.exc_info()[1])
        self.connections.running.text = ""
        super().post_model_hook(config, context)

    def debug_query(self) -> None:
        """The lines `dbt debug` shows after the profile, then a query that proves that Spark works."""
        for line in checkup(self.connections.trickle_credentials, os.environ):
            logger.info(line)
        self.execute("select 1 as id", fetch=True)

    def _build_spark_relation_list(
        self, row_list: agate.Table, relation_info_func: Callable[..., Any]
    ) -> list[BaseRelation]:
        return list(relations_from(row_list))

    def parse_columns_from_information(self, relation: BaseRelation) -> list[SparkColumn]:
        """Types as SQL writes them (`bigint`); the listing's column tree has other names (`long`)."""
        return self.get_columns_in_relation(relation)

    def _get_columns_for_catalog(self, relation: BaseRelation) -> Iterable[dict[str, Any]]:
        """Columns with a stream table's statistics, which dbt reads from its columns."""
        statistics = self.trickle_statistics(relation)
        for column in super()._get_columns_for_catalog(relation):
            yield {**column, **statistics}

    @property
    def python_submission_helpers(self) -> dict[str, Any]:
        """None: dbt-spark's helpers submit to Databricks."""
        return {}

    @classmethod
    def _get_adapter_specific_run_info(cls, config: Any) -> dict[str, Any]:
        return {**super()._get_adapter_specific_run_info(config), "adapter_type": "trickle"}
