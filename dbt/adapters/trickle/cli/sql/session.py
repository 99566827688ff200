"""A session on the warehouse of a project's profile, open while statements run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Optional

from dbt.adapters.exceptions.connection import FailedToConnectError

from dbt.adapters.trickle.cli.profile import credentials_of, sentence_of
from dbt.adapters.trickle.cli.refusal import Refusal
from dbt.adapters.trickle.cli.sql.printing import Result
from dbt.adapters.trickle.project import ProjectError
from dbt.adapters.trickle.project.load import project_root
from dbt.adapters.trickle.warehouses.embedded import spark as warehouse
from dbt.adapters.trickle.warehouses.embedded.activity import ACTIVITY
from dbt.adapters.trickle.warehouses.embedded.failures import as_database_error
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import folders_of

Execute = Callable[[str, Optional[int]], Result]


class SparkError(Exception):
    """What Spark says of a statement that failed, shortened for the terminal."""


@contextmanager
def opened_warehouse(
    project: Optional[Path], profiles: Optional[Path], target: Optional[str], wait: float
) -> Generator[Execute, None, None]:
    """A function that executes statements; Spark is started before and stopped after."""
    try:
        root = project_root(project, os.environ)
    except ProjectError as wrong:
        raise Refusal(str(wrong)) from wrong
    credentials = credentials_of(root, profiles, target)
    credentials.lock_timeout = wait
    ACTIVITY.purpose = "dbt-trickle sql"
    session = EmbeddedSession(credentials, _write_error)
    try:
        _use_schema(session, credentials.schema)
        yield lambda sql, limit: _result(session, credentials, sql, limit)
    except FailedToConnectError as failure:
        raise Refusal(sentence_of(failure)) from failure
    finally:
        warehouse.close()


def _write_error(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")


def _use_schema(session: EmbeddedSession, schema: str) -> None:
    """Make the schema current, if it exists; it is not created."""
    if session.spark.catalog.databaseExists(schema):
        session.spark.catalog.setCurrentDatabase(schema)


def _result(session: EmbeddedSession, credentials: Any, sql: str, limit: Optional[int]) -> Result:
    try:
        cursor = session.cursor()
        cursor.execute(sql)
        rows = cursor.fetchall() if limit is None else cursor.fetchmany(limit + 1)
    except FailedToConnectError:
        raise
    except Exception as failure:
        error = as_database_error(failure, folders_of(credentials).process_log)
        raise SparkError(error.msg.strip()) from failure
    columns = tuple(str(column[0]) for column in cursor.description)
    more = limit is not None and len(rows) > limit
    return Result(columns, rows[:limit] if more else rows, more)
