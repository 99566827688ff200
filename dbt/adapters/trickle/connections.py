"""dbt's connections over the embedded warehouse."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbt.adapters.contracts.connection import AdapterResponse, Connection, ConnectionState
from dbt.adapters.events.logging import AdapterLogger
from dbt.adapters.spark.connections import SparkConnectionManager
from dbt_common.events.event_manager_client import get_event_manager
from dbt_common.exceptions import DbtBaseException, DbtConfigError

from dbt.adapters.trickle import dbt_constraint_support as enforced
from dbt.adapters.trickle.history.histories import Histories
from dbt.adapters.trickle.ports import StatementFailed
from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded import interrupt
from dbt.adapters.trickle.warehouses.embedded.activity import ACTIVITY
from dbt.adapters.trickle.warehouses.embedded.cursor import EmbeddedCursor
from dbt.adapters.trickle.warehouses.embedded.progress import Progress, wanted
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import folders_of
from dbt.adapters.trickle.warehouses.methods import method_named
from dbt.adapters.trickle.warehouses.statement_text import writes_no_table
from trickle.sql.stack_size import raise_recursion_limit

if TYPE_CHECKING:
    from multiprocessing.context import SpawnContext

    import agate
    from dbt.adapters.contracts.connection import AdapterRequiredConfig

logger = AdapterLogger("Trickle")


class RunningModel(threading.local):
    """The compiled text of the model that a thread runs: error messages give its lines."""

    text: str = ""


class TrickleConnectionManager(SparkConnectionManager):
    TYPE = "trickle"

    def __init__(self, profile: AdapterRequiredConfig, mp_context: SpawnContext) -> None:
        super().__init__(profile, mp_context)
        self.running = RunningModel()
        self.histories = Histories()
        """Of every table that this invocation of dbt looks at."""
        # `dbt debug` knows no project; dbt has changed into its folder by then.
        project_root = Path(getattr(profile, "project_root", None) or Path.cwd())
        profile.credentials.anchor(project_root)  # type: ignore[attr-defined]
        if profile.threads < 1:
            raise DbtConfigError(f"`threads: {profile.threads}` cannot be used: write a number from 1 on.")
        interrupt.install()
        raise_recursion_limit()
        _show_progress(bool(getattr(getattr(profile, "args", None), "quiet", False)))
        enforced.teach()

    @property
    def trickle_credentials(self) -> TrickleCredentials:
        credentials = self.profile.credentials
        assert isinstance(credentials, TrickleCredentials)
        return credentials

    @classmethod
    def open(cls, connection: Connection) -> Connection:
        """Make the connection usable; Spark starts with its first statement."""
        if connection.state != ConnectionState.OPEN:
            method = method_named(connection.credentials.method)
            assert method is not None, "the profile's check refuses every other name"
            connection.handle = method.open(connection.credentials, logger.info)
            connection.state = ConnectionState.OPEN
        return connection

    @contextmanager
    def exception_handler(self, sql: str) -> Generator[None, None, None]:
        try:
            yield
        except StatementFailed as failed:
            raise self._reported(failed, failed.sql or sql) from None
        except DbtBaseException:
            raise
        except Exception as failure:
            raise self._reported(failure, sql) from None

    def _reported(self, failure: Exception, sql: str) -> DbtBaseException:
        """The error that dbt shows, with the model's line numbers; Java's whole trace goes to dbt's log."""
        # These import PySpark, which is loaded by now.
        from dbt.adapters.trickle.warehouses.embedded.failures import as_database_error, whole_trace
        from dbt.adapters.trickle.warehouses.embedded.lines import in_model_lines

        logger.debug(f"Error while running:\n{sql}\n{whole_trace(failure)}")
        error = as_database_error(failure, folders_of(self.trickle_credentials).process_log)
        error.msg = in_model_lines(error.msg, sql, self.running.text)
        return error

    def commented(self, sql: str) -> str:
        """A statement with dbt's query comment, where the project wants one."""
        return str(self._add_query_comment(sql))

    def execute(
        self, sql: str, auto_begin: bool = False, fetch: bool = False, limit: int | None = None
    ) -> tuple[AdapterResponse, agate.Table]:
        from dbt_common.clients.agate_helper import empty_table

        sql = self.commented(sql)
        _, cursor = self.add_query(sql, auto_begin)
        with self.exception_handler(sql):
            if fetch:
                table = self.get_result_from_cursor(cursor, limit)
            else:
                cursor.finish()
                table = empty_table()  # type: ignore[no-untyped-call]
        return self.get_response(cursor), table

    def add_query(self, sql: str, *arguments: Any, **named: Any) -> tuple[Connection, Any]:
        """Whatever dbt itself runs; a refresh runs its statements on the session, and knows what they write."""
        try:
            return super().add_query(sql, *arguments, **named)
        finally:
            if not writes_no_table(sql):
                self.histories.anything_written()

    @classmethod
    def get_response(cls, cursor: Any) -> AdapterResponse:
        """Delta's MERGE, UPDATE and DELETE say how many rows they touched."""
        affected = cursor.outcome().affected_rows if isinstance(cursor, EmbeddedCursor) else None
        if affected is None:
            return AdapterResponse(_message="OK")
        return AdapterResponse(_message="OK", rows_affected=affected)


def _show_progress(quiet: bool) -> None:
    """On a terminal, a line for the statement that runs; it goes before each line that dbt writes."""
    if quiet or not wanted(sys.stderr, os.environ):
        return
    if ACTIVITY.progress is None:
        ACTIVITY.progress = Progress(sys.stderr, ACTIVITY.running, lambda: ACTIVITY.stages())
    loggers: list[Any] = get_event_manager().loggers
    if ACTIVITY.progress not in loggers:
        loggers.insert(0, ACTIVITY.progress)
