"""A dbt connection's own Spark session, and what the rest of the adapter may ask of it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dbt.adapters.spark.connections import SparkConnectionWrapper
from dbt_common.exceptions import DbtDatabaseError

from dbt.adapters.trickle.warehouses.embedded.activity import ACTIVITY
from dbt.adapters.trickle.warehouses.embedded.cursor import Description, EmbeddedCursor
from dbt.adapters.trickle.warehouses.embedded.objects import OwnObjects, own_objects
from dbt.adapters.trickle.warehouses.embedded.settings import TIME_ZONE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

    from dbt.adapters.trickle.warehouses.embedded.spark import WarehouseProfile

_COMMENT = re.compile(r"/\*.*?\*/|--[^\n]*", re.DOTALL)
TRANSACTION_WORDS = frozenset({"begin", "commit", "rollback"})


class EmbeddedSession(SparkConnectionWrapper):
    """Opened without starting Spark; the first statement starts it, or joins the one that runs.

    Nothing set here (settings, temporary views, current schema) is seen by another connection.
    """

    def __init__(self, profile: WarehouseProfile, say: Callable[[str], None]) -> None:
        self._profile = profile
        self._say = say
        self._session: SparkSession | None = None
        self._job_group = f"trickle-{uuid.uuid4().hex[:12]}"
        self._cancelled = False
        self._words = ""

    @property
    def spark(self) -> SparkSession:
        if self._session is not None and self._has_ended() and not ACTIVITY.interrupted.is_set():
            # Java was killed under an earlier statement, whose model has failed: the others need not.
            self._session = None
        if self._session is None:
            # Importing PySpark takes a quarter of a second that `dbt parse` and an idle run need not spend.
            from dbt.adapters.trickle.warehouses.embedded.spark import new_session

            with ACTIVITY.statement("starting Spark"):
                self._session = new_session(self._profile, self._say)
        return self._session

    def another(self) -> EmbeddedSession:
        """A session of the same profile in which nobody has done anything yet."""
        return EmbeddedSession(self._profile, self._say)

    def own_objects(self) -> OwnObjects:
        """Temporary objects, and the current schema."""
        return own_objects(self.spark)

    def cursor(self) -> EmbeddedCursor:  # type: ignore[override]
        return EmbeddedCursor(self)

    def submit(self, sql: str) -> DataFrame | None:
        """Run a command or analyse a query. Spark knows no transactions: their three words do nothing."""
        text = sql.strip().rstrip(";").rstrip()
        if text.lower() in TRANSACTION_WORDS:
            return None
        spark = self.spark
        self._words = first_words(text)
        with self.statement():
            return spark.sql(text)

    def rows(self, sql: str) -> list[Row]:
        """Run SQL and return all its rows; commands such as MERGE return their metrics."""
        cursor = self.cursor()
        cursor.execute(sql)
        return cursor.fetchall()

    def keep(self, name: str, sql: str) -> None:
        """Compute a query now, and keep its rows as a temporary view: to whoever reads it, rows and nothing else."""
        with self.statement():
            self.spark.sql(sql).localCheckpoint(eager=True).createOrReplaceTempView(name)

    @staticmethod
    def _has_ended() -> bool:
        from dbt.adapters.trickle.warehouses.embedded.spark import has_ended

        return has_ended()

    def forget(self, name: str) -> None:
        """Spark frees what nobody can name any more."""
        if self._has_ended():
            return
        self.spark.catalog.dropTempView(name)

    def schema_of(self, sql: str) -> list[tuple[str, str]]:
        """Names and types of a query's columns as Spark itself sees them: analysis only, no job."""
        with self.statement():
            return [(field.name, field.dataType.simpleString()) for field in self.spark.sql(sql).schema.fields]

    def same_semantics(self, sql_a: str, sql_b: str) -> bool:
        """Whether Spark resolves both queries to the same plan (False also when it merely cannot tell)."""
        with self.statement():
            return bool(self.spark.sql(sql_a).sameSemantics(self.spark.sql(sql_b)))

    def conf(self, key: str) -> str:
        return str(self.spark.conf.get(key))

    def confs(self) -> dict[str, str]:
        """All settings that were given a value, by whomever."""
        from dbt.adapters.trickle.warehouses.embedded.py4j_bridge import settings_of

        return settings_of(self.spark)

    def set_conf(self, key: str, value: str) -> None:
        self.spark.conf.set(key, value)

    def unset_conf(self, key: str) -> None:
        if self._has_ended():
            # Nothing is set any more.
            return
        self.spark.conf.unset(key)

    def time_zone(self) -> str:
        return str(self.spark.conf.get(TIME_ZONE))

    @contextmanager
    def statement(self) -> Iterator[None]:
        """Everything Spark does inside belongs to this connection and can be cancelled with it."""
        if self._cancelled:
            raise DbtDatabaseError("Cancelled: this connection starts no further statement.")
        with ACTIVITY.statement(self._words):
            self.spark.sparkContext.setJobGroup(self._job_group, self._job_group, interruptOnCancel=True)
            yield

    def cancel(self) -> None:
        self._cancelled = True
        if self._session is not None:
            self._session.sparkContext.cancelJobGroup(self._job_group)

    def close(self) -> None:
        self._session = None

    def rollback(self, *args: Any, **kwargs: Any) -> None:
        """Nothing to take back: each statement commits by itself."""

    def fetchall(self) -> list[Any] | None:
        raise NotImplementedError("results are fetched from cursors")

    def execute(self, sql: str, bindings: list[Any] | None = None) -> None:
        self.cursor().execute(sql, bindings)

    @property
    def description(self) -> Description:
        return []


def first_words(sql: str) -> str:
    """How a statement is called while it runs: without comments, on one line."""
    return " ".join(_COMMENT.sub(" ", sql[:2000]).split())[:100]
