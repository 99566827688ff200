"""The adapter: dbt-spark's, over the embedded warehouse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dbt.adapters.spark.impl import SparkAdapter, SparkConfig

from dbt.adapters.trickle.connections import TrickleConnectionManager
from dbt.adapters.trickle.relation import TrickleRelation

DEFAULT_FILE_FORMAT = "delta"


@dataclass
class TrickleConfig(SparkConfig):
    file_format: str = DEFAULT_FILE_FORMAT


class TrickleAdapter(SparkAdapter):
    Relation = TrickleRelation
    ConnectionManager = TrickleConnectionManager
    AdapterSpecificConfigs = TrickleConfig

    def pre_model_hook(self, config: Any) -> None:
        """Delta unless the user says otherwise: dbt-spark's materializations read the config itself."""
        node_config = config.model.config
        if node_config.get("file_format") is None:
            node_config["file_format"] = DEFAULT_FILE_FORMAT
