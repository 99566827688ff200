"""PySpark's side of the embedded Spark: joining a Java that runs already, and letting go of it."""

# PySpark remembers its one Java in private class attributes and has no other way to forget it.
# ruff: noqa: SLF001
from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from dbt.adapters.exceptions.connection import FailedToConnectError
from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from dbt.adapters.trickle.warehouses.embedded.java_process import JavaProcess

PORT = "PYSPARK_GATEWAY_PORT"
SECRET = "PYSPARK_GATEWAY_SECRET"  # noqa: S105 — the name of a variable
BETWEEN = "\x1e"  # the ASCII record separator, which stands in no setting
# These print every failed query with its Java trace on the console, where dbt shows the message already.
NOISY_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


def connect(process: JavaProcess) -> SparkSession:
    """Hand PySpark the running Java, the way spark-submit does for Python programs."""
    for name in NOISY_LOGGERS:
        PySparkLogger.getLogger(name).disabled = True
    os.environ[PORT] = str(process.port)
    os.environ[SECRET] = process.secret
    try:
        gateway = launch_gateway()  # type: ignore[no-untyped-call]
    finally:
        del os.environ[PORT], os.environ[SECRET]
    with _own_interrupt_handler():
        return SparkSession(SparkContext(gateway=gateway, conf=SparkConf(_jvm=gateway.jvm)))


def disconnect(root: SparkSession, alive: bool) -> None:
    """Forget the Java, so that PySpark can join another one in this process."""
    if alive:
        root.stop()
    else:
        SparkContext._active_spark_context = None
        SparkSession._instantiatedSession = None
    gateway = SparkContext._gateway
    if gateway is not None:
        gateway.shutdown()
    SparkContext._gateway = None
    SparkContext._jvm = None


def settings_of(session: SparkSession) -> dict[str, str]:
    """What `session.conf.getAll` answers, in one question instead of several for each setting."""
    told = session._jsparkSession.conf().getAll().mkString(BETWEEN)
    pairs = (pair.partition(" -> ") for pair in told.split(BETWEEN))
    return {key: value for key, _, value in pairs}


def refuse_another_spark() -> None:
    """PySpark knows one Java per process, and one somebody else started has other settings."""
    if SparkContext._active_spark_context is not None:
        raise FailedToConnectError(
            "Another Spark runs in this Python process already: stop it first, with `spark.stop()`."
        )


@contextmanager
def _own_interrupt_handler() -> Iterator[None]:
    """PySpark replaces the handler of Ctrl-C with one that waits for Java; keep the one that was there."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
