"""What a run of dbt may know of schemas and relations without Spark.

dbt lists both before its first node. While nothing has changed in the catalog since the last run, that run's answers
hold, and a run in which nothing is to be done ends without Java. With another run in the warehouse, the schemas are
those that have folders, and relations are listed when a node first needs one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dbt.adapters.base.meta import AdapterMeta
from dbt.adapters.events.logging import AdapterLogger
from dbt_common.exceptions import DbtBaseException

from dbt.adapters.trickle.catalog.listing import relations_from
from dbt.adapters.trickle.ports import StatementFailed
from dbt.adapters.trickle.warehouses.embedded.activity import ACTIVITY, DBT
from dbt.adapters.trickle.warehouses.embedded.catalog_cache import CATALOG, SCHEMAS, CatalogCache, Rows, listing_of
from dbt.adapters.trickle.warehouses.embedded.lock import Holder, other_holder
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import folders_of

if TYPE_CHECKING:
    from dbt.adapters.base.relation import BaseRelation
    from dbt.adapters.contracts.relation import RelationConfig
    from dbt.adapters.spark.impl import SparkAdapter as MixedInto

    from dbt.adapters.trickle.connections import TrickleConnectionManager
else:
    MixedInto = object

logger = AdapterLogger("Trickle")
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

    @cached_property
    def _catalog(self) -> CatalogCache:
        """The answers of the run before, until Spark starts."""
        CATALOG.begin(folders_of(self.connections.trickle_credentials))
        return CATALOG

    def list_schemas(self, database: Any) -> list[str]:
        if self.other_run is not None:
            return self._schemas_with_folders()
        cached = self._catalog.answer(SCHEMAS)
        if cached is not None:
            return [str(name) for (name,) in cached]
        listed: list[str] = super().list_schemas(database)
        self._catalog.note(SCHEMAS, [[name] for name in listed])
        return listed

    def _schemas_with_folders(self) -> list[str]:
        data = folders_of(self.connections.trickle_credentials).data
        folders = [folder.name for folder in data.glob(f"*{FOLDER_OF_SCHEMA}")]
        return ["default", *(name.removesuffix(FOLDER_OF_SCHEMA) for name in folders)]

    def list_relations_without_caching(self, schema_relation: BaseRelation) -> list[BaseRelation]:
        question = listing_of(str(schema_relation.schema))
        cached = self._catalog.answer(question)
        if cached is not None:
            return list(relations_from(cached))
        listed: list[BaseRelation] = super().list_relations_without_caching(schema_relation)
        self._catalog.note(question, [_row(relation) for relation in listed])
        return listed

    def list_relations(self, database: str | None, schema: str) -> list[BaseRelation]:
        if self._catalog.is_outdated():
            # Another process had the warehouse between the listing and the start of Spark.
            self.cache.clear()  # type: ignore[no-untyped-call]
        listed: list[BaseRelation] = super().list_relations(database, schema)
        return listed

    def set_relations_cache(
        self,
        relation_configs: Iterable[RelationConfig],
        clear: bool = False,
        required_schemas: set[BaseRelation] | None = None,
    ) -> None:
        if self.other_run is None:
            super().set_relations_cache(relation_configs, clear, required_schemas)

    def cleanup_connections(self) -> None:
        """dbt's end of a run: what the next run will ask of the catalog is saved for it."""
        if CATALOG.follows_spark and not ACTIVITY.interrupted.is_set() and not has_ended():
            try:
                CATALOG.save(self._ask_again)
            except OSError as failure:
                logger.debug(f"The catalog's answers cannot be saved: {failure}")
        super().cleanup_connections()

    def _ask_again(self, question: str) -> Rows | None:
        session = EmbeddedSession(self.connections.trickle_credentials, logger.debug)
        try:
            return session.rows(question)
        except (StatementFailed, DbtBaseException) as failure:
            # A schema or a view that is gone: the next run asks Spark.
            logger.debug(f"{question}: {failure}")
            return None


def has_ended() -> bool:
    """Whether Java is gone, which asking would start again."""
    # Imports PySpark, which is loaded where Spark runs.
    from dbt.adapters.trickle.warehouses.embedded import spark

    return spark.has_ended()


def _row(relation: BaseRelation) -> list[Any]:
    return [relation.schema, relation.identifier, False, getattr(relation, "information", None)]
