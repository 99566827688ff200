"""The Session port over a Spark inside this process, and dbt's connection handle."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from dbt.adapters.spark.connections import SparkConnectionWrapper
from dbt_common.exceptions import DbtBaseException, DbtDatabaseError

from dbt.adapters.trickle.ports import Capabilities, Outcome, Session, Versions
from dbt.adapters.trickle.warehouses.embedded.activity import ACTIVITY
from dbt.adapters.trickle.warehouses.embedded.catalog_cache import CATALOG
from dbt.adapters.trickle.warehouses.embedded.cursor import Description, EmbeddedCursor
from dbt.adapters.trickle.warehouses.embedded.objects import OwnObjects, own_objects
from dbt.adapters.trickle.warehouses.embedded.settings import TIME_ZONE
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import folders_of
from dbt.adapters.trickle.warehouses.named_files import NamedFiles
from dbt.adapters.trickle.warehouses.settings_of_session import give, temporarily
from dbt.adapters.trickle.warehouses.statement_text import first_words
from trickle.catalog.source_files import DataFiles

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

    from dbt.adapters.trickle.warehouses.embedded.spark import WarehouseProfile

TRANSACTION_WORDS = frozenset({"begin", "commit", "rollback"})


class EmbeddedSession(SparkConnectionWrapper):
    """Opened without starting Spark; the first statement starts it, or joins the one that runs.

    Nothing set here (settings, temporary views, current schema) is seen by another connection. A statement that Spark
    refuses or cannot finish is a StatementFailed, whichever method ran it.
    """

    capabilities = Capabilities()

    def __init__(self, profile: WarehouseProfile, say: Callable[[str], None]) -> None:
        self._profile = profile
        self._say = say
        self._session: SparkSession | None = None
        self._job_group = f"trickle-{uuid.uuid4().hex[:12]}"
        self._cancelled = False
        self._at_start: dict[str, str | None] = {}
        """Settings given before Spark was needed."""
        self._sql = ""
        self._files = NamedFiles()

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
            if self._at_start:
                values, self._at_start = self._at_start, {}
                self.set(values)
        return self._session

    @property
    def started(self) -> bool:
        """Whether a statement has been run here: until then nobody can have set or created anything."""
        return self._session is not None

    def another(self) -> EmbeddedSession:
        """A session of the same profile in which nobody has done anything yet."""
        return EmbeddedSession(self._profile, self._say)

    def own_objects(self) -> OwnObjects:
        """Temporary objects, and the current schema."""
        return own_objects(self.spark) if self.started else OwnObjects()

    def cursor(self) -> EmbeddedCursor:  # type: ignore[override]
        return EmbeddedCursor(self)

    def submit(self, sql: str) -> DataFrame | None:
        """Run a command or analyse a query. Spark knows no transactions: their three words do nothing."""
        text = sql.strip().rstrip(";").rstrip()
        if text.lower() in TRANSACTION_WORDS:
            return None
        spark = self.spark
        CATALOG.ran(text)
        with self.statement(text):
            return spark.sql(text)

    def run(self, sql: str) -> Outcome:
        cursor = self.cursor()
        cursor.execute(sql)
        cursor.finish()
        return cursor.outcome()

    def rows(self, sql: str) -> Sequence[Row]:
        """Run SQL and return all its rows; commands such as MERGE return their metrics."""
        cursor = self.cursor()
        cursor.execute(sql)
        return cursor.fetchall()

    def compute(self, name: str, sql: str) -> None:
        """Not by CACHE TABLE: Spark would analyse the text anew for each of its readers."""
        spark = self.spark
        with self.statement(sql):
            spark.sql(sql).localCheckpoint(eager=True).createOrReplaceTempView(name)

    def name_files(self, name: str, files: DataFiles) -> None:
        spark = self.spark
        with self.statement(f"reading files as {name}"):
            self._files.name(spark, name, files)

    @staticmethod
    def _has_ended() -> bool:
        from dbt.adapters.trickle.warehouses.embedded.spark import has_ended

        return has_ended()

    def forget(self, name: str) -> None:
        """Spark frees what nobody can name any more."""
        self._files.forget(name)
        if self._has_ended():
            return
        self.spark.catalog.dropTempView(name)

    def columns(self, sql: str) -> list[tuple[str, str]]:
        """Analysis only, no job."""
        spark = self.spark
        with self.statement(sql):
            return [(field.name, field.dataType.simpleString()) for field in spark.sql(sql).schema.fields]

    def settings(self) -> dict[str, str]:
        from dbt.adapters.trickle.warehouses.embedded.py4j_bridge import settings_of

        return settings_of(self.spark)

    def with_settings(self, values: Mapping[str, str | None]) -> AbstractContextManager[None]:
        return temporarily(self, values)

    def set(self, values: Mapping[str, str | None]) -> None:
        """Give settings these values for as long as the session lasts. None: Spark's default."""
        if self._session is None:
            self._at_start.update(values)
            return
        if self._has_ended():
            # Nothing is set any more.
            return
        give(self.spark.conf, values)

    def versions(self) -> Versions:
        """Those of the installed packages: their Spark is the one that runs."""
        return Versions(spark=version("pyspark"), delta=version("delta-spark"))

    def time_zone(self) -> str:
        return str(self.spark.conf.get(TIME_ZONE))

    @contextmanager
    def statement(self, sql: str | None = None) -> Iterator[None]:
        """Everything Spark does inside belongs to this connection and can be cancelled with it.

        Without a text, it is more of the statement before.
        """
        if self._cancelled:
            raise DbtDatabaseError("Cancelled: this connection starts no further statement.")
        self._sql = self._sql if sql is None else sql
        with ACTIVITY.statement(first_words(self._sql)):
            try:
                self.spark.sparkContext.setJobGroup(self._job_group, self._job_group, interruptOnCancel=True)
                yield
            except DbtBaseException:
                raise
            except Exception as failure:
                # Imports PySpark, which is loaded by now.
                from dbt.adapters.trickle.warehouses.embedded.failures import is_of_spark, statement_failed

                if not is_of_spark(failure):
                    raise
                raise statement_failed(failure, self._sql, folders_of(self._profile).process_log) from failure

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


_IS_A_SESSION: type[Session] = EmbeddedSession
