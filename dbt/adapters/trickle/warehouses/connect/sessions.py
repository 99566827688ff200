"""The sessions that this process has opened: each must be closed, or the process may wait for its server at its end."""

from __future__ import annotations

import atexit
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

RETRIES = 6
"""Attempts to reach a server that does not answer: about twenty seconds. PySpark itself tries for ten minutes."""
NOISY_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")
"""They print every failed statement with its Java stack on the console."""

_open: list[SparkSession] = []
_guard = threading.Lock()


def open_session(address: str) -> SparkSession:
    """A session of its own on the server at `sc://host:port`."""
    from pyspark.logger import PySparkLogger
    from pyspark.sql.connect.client.retries import DefaultPolicy
    from pyspark.sql.connect.session import SparkSession

    for name in NOISY_LOGGERS:
        PySparkLogger.getLogger(name).disabled = True
    session = SparkSession.builder.remote(address).create()
    session.client.set_retry_policies([DefaultPolicy(max_retries=RETRIES, max_backoff=10_000)])
    with _guard:
        _open.append(session)
    return session


def close_session(session: SparkSession) -> None:
    """Release it on the server. Closing twice, or after the server has gone, is no failure."""
    with _guard:
        if session not in _open:
            return
        _open.remove(session)
    session.stop()


@atexit.register
def close_all() -> None:
    """Close every session of this process."""
    with _guard:
        remaining = list(_open)
    for session in remaining:
        close_session(session)
