"""The temporary objects and settings of a session, read from Spark's Java API, as SQL shows only some of them."""

# PySpark shows neither temporary functions and variables nor the defaults of settings.
# ruff: noqa: SLF001
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

START_SCHEMA = "default"
"""The current schema of a session before any USE."""


@dataclass(frozen=True)
class OwnObjects:
    """Temporary objects, and the current schema."""

    views: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    has_variables: bool = False
    schema: str = START_SCHEMA

    @property
    def none(self) -> bool:
        return not self.views and not self.functions and not self.has_variables and self.schema == START_SCHEMA


def own_objects(spark: SparkSession) -> OwnObjects:
    state = _state(spark)
    catalog, manager = state.catalog(), state.catalogManager()
    return OwnObjects(
        _names(catalog.listLocalTempViews("*")),
        _names(catalog.listTemporaryFunctions()),
        not manager.tempVariableManager().isEmpty(),
        str(catalog.getCurrentDatabase()).lower(),
    )


class OwnSettings:
    """The settings of a session that views and functions capture when they are created."""

    def __init__(self, session: Callable[[], SparkSession]) -> None:
        self._session = session

    def captured(self) -> Mapping[str, str]:
        """The settings that a view created now would capture."""
        spark = self._session()
        java: Any = spark._jvm
        properties = java.org.apache.spark.sql.execution.command.ViewHelper.sqlConfigsToProps(_state(spark).conf(), "")
        return {
            str(key): str(value)
            for key, value in java.scala.jdk.javaapi.CollectionConverters.asJava(properties).items()
        }

    def default(self, key: str) -> str | None:
        """Spark's default of a setting; None if it is unknown."""
        java: Any = self._session()._jvm
        entry = getattr(getattr(java.org.apache.spark.sql.internal, "SQLConf$"), "MODULE$").getConfigEntry(key)
        return None if entry is None else str(entry.defaultValueString())


def _state(spark: SparkSession) -> Any:
    java: Any = spark._jsparkSession
    return java.sessionState()


def _names(listed: Any) -> frozenset[str]:
    """The names of a Scala collection, read in one call: each call to Java has a cost."""
    return frozenset(name.strip("`").lower() for name in str(listed.mkString("\n")).splitlines())
