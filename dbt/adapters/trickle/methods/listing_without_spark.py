"""A run of dbt that begins while another one has the warehouse: what it may know without Spark.

dbt lists schemas and relations before its first node. With Spark out of reach the schemas are those that have folders,
and relations are listed when a node first needs one: a run of stream tables alone then ends without waiting.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dbt.adapters.base.meta import AdapterMeta

from dbt.adapters.trickle.warehouses.embedded.activity import DBT
from dbt.adapters.trickle.warehouses.embedded.lock import Holder, other_holder
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import folders_of

if TYPE_CHECKING:
    from dbt.adapters.base.relation import BaseRelation
    from dbt.adapters.contracts.relation import RelationConfig
    from dbt.adapters.spark.impl import SparkAdapter as MixedInto

    from dbt.adapters.trickle.connections import TrickleConnectionManager
else:
    MixedInto = object

FOLDER_OF_SCHEMA = ".db"


class ListingWithoutSpark(MixedInto, metaclass=AdapterMeta):
    """Mixed into the adapter, which dbt makes anew for every invocation."""

    connections: TrickleConnectionManager

    @cached_property
    def other_run(self) -> Holder | None:
        """The run of dbt that had the warehouse when this one began, unless this one is to wait for it.

        Asked once, so that all stream tables of a run are left alone or none. Whatever else holds the warehouse (a
        session of `dbt-trickle sql`) refreshes nothing, so it is waited for.
        """
        credentials = self.connections.trickle_credentials
        if credentials.when_busy == "wait":
            return None
        holder = other_holder(folders_of(credentials).lock)
        return holder if holder is not None and holder.purpose == DBT else None

    def list_schemas(self, database: Any) -> list[str]:
        if self.other_run is None:
            listed: list[str] = super().list_schemas(database)
            return listed
        data = folders_of(self.connections.trickle_credentials).data
        folders = [folder.name for folder in data.glob(f"*{FOLDER_OF_SCHEMA}")]
        return ["default", *(name.removesuffix(FOLDER_OF_SCHEMA) for name in folders)]

    def set_relations_cache(
        self,
        relation_configs: Iterable[RelationConfig],
        clear: bool = False,
        required_schemas: set[BaseRelation] | None = None,
    ) -> None:
        if self.other_run is None:
            super().set_relations_cache(relation_configs, clear, required_schemas)
