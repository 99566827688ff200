"""The Session port over Spark Connect: only the pure client's API, no Java in this process."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from dbt.adapters.trickle.ports import Capabilities, Outcome, Row, Session, StatementFailed, Versions
from dbt.adapters.trickle.warehouses.named_files import NamedFiles
from dbt.adapters.trickle.warehouses.settings_of_session import give, temporarily
from trickle.catalog.source_files import DataFiles

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

METRICS = frozenset({"num_affected_rows", "num_updated_rows", "num_deleted_rows", "num_inserted_rows"})
"""What Delta answers to MERGE, UPDATE and DELETE."""
TIME_ZONE = "spark.sql.session.timeZone"


class ConnectSession:
    """Opened by the first statement. Settings, temporary views and the current schema are this session's own.

    Computed parts are checkpoints on the server. Logs are not read from this machine: their folders are the server's.
    """

    capabilities = Capabilities(reads_files=False, local_history=False)

    def __init__(self, address: str) -> None:
        self._address = address
        self._session: SparkSession | None = None
        self._details: list[Any] = []
        self._cancelled = False
        self._files = NamedFiles()

    @property
    def spark(self) -> SparkSession:
        if self._session is None:
            # Importing the client takes half a second, which a run that asks Spark nothing need not spend.
            from dbt.adapters.trickle.warehouses.connect.sessions import open_session

            self._session = open_session(self._address)
            self._record_details(self._session)
        return self._session

    def run(self, sql: str) -> Outcome:
        with self._statement(sql):
            first = None
            for row in self.spark.sql(sql).toLocalIterator():
                first = row if first is None else first
        answer = {} if first is None else first.asDict()
        return Outcome({name: int(value) for name, value in answer.items() if value is not None and name in METRICS})

    def rows(self, sql: str) -> Sequence[Row]:
        """Timestamps are as the session's time zone shows them."""
        from dbt.adapters.trickle.warehouses.embedded.rows import local_rows

        with self._statement(sql):
            frame = self.spark.sql(sql)
            return local_rows(frame.collect(), frame.schema, self._time_zone)

    def columns(self, sql: str) -> Sequence[tuple[str, str]]:
        with self._statement(sql):
            return [(field.name, field.dataType.simpleString()) for field in self.spark.sql(sql).schema.fields]

    def settings(self) -> Mapping[str, str]:
        with self._statement("SET"):
            return dict(self.spark.conf.getAll)

    def set(self, values: Mapping[str, str | None]) -> None:
        """Give settings these values for as long as the session lasts. None: Spark's default."""
        with self._statement("SET"):
            give(self.spark.conf, values)

    def with_settings(self, values: Mapping[str, str | None]) -> AbstractContextManager[None]:
        return temporarily(self, values)

    def compute(self, name: str, sql: str) -> None:
        with self._statement(sql):
            self.spark.sql(sql).localCheckpoint(eager=True).createOrReplaceTempView(name)

    def name_files(self, name: str, files: DataFiles) -> None:
        with self._statement(name):
            self._files.name(self.spark, name, files)

    def forget(self, name: str) -> None:
        self._files.forget(name)
        with self._statement(name):
            self.spark.catalog.dropTempView(name)

    def another(self) -> ConnectSession:
        return ConnectSession(self._address)

    def versions(self) -> Versions:
        """No function of Spark tells Delta's version."""
        with self._statement("version"):
            return Versions(spark=str(self.spark.version), delta="")

    def cancel(self) -> None:
        self._cancelled = True
        if self._session is not None:
            self._session.interruptAll()

    def close(self) -> None:
        if self._session is not None:
            from dbt.adapters.trickle.warehouses.connect.sessions import close_session

            ending, self._session = self._session, None
            close_session(ending)

    def _time_zone(self) -> str:
        return str(self.spark.conf.get(TIME_ZONE))

    @contextmanager
    def _statement(self, sql: str) -> Generator[None, None, None]:
        """Whatever the client raises inside is a StatementFailed."""
        from grpc import RpcError
        from pyspark.errors import PySparkException

        from dbt.adapters.trickle.warehouses.connect.failures import cancelled, failure_of

        if self._cancelled:
            raise StatementFailed(cancelled())
        self._details.clear()
        try:
            yield
        except (PySparkException, RpcError) as raised:
            raise StatementFailed(failure_of(raised, self._details)) from raised

    def _record_details(self, session: SparkSession) -> None:
        """Keep what the server says of a failure: the client's exceptions leave out the conditions of its causes."""
        from dbt.adapters.trickle.warehouses.connect.failures import error_chain

        fetch = session.client._fetch_enriched_error  # noqa: SLF001 - nothing public has the causes

        def recorded(info: Any) -> Any:
            response = fetch(info)
            self._details[:] = error_chain(response)
            return response

        session.client._fetch_enriched_error = recorded  # type: ignore[method-assign] # noqa: SLF001 - the same


_IS_A_SESSION: type[Session] = ConnectSession
