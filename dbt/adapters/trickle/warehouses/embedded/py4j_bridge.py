"""PySpark's side of the embedded Spark: connecting to a running Java, and disconnecting."""

# PySpark stores its one Java in private class attributes and has no other way to disconnect.
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
SEPARATOR = "\x1e"  # the ASCII record separator, which no setting contains
# These loggers print every failed query with its Java trace on the console; dbt already shows the message.
NOISY_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


def connect(process: JavaProcess) -> SparkSession:
    """Connect PySpark to the running Java, as spark-submit does for Python programs."""
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
    """Disconnect from Java, so that PySpark can connect to another one in this process."""
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
    """The settings of `session.conf.getAll`, in one call to Java instead of several per setting."""
    pairs_text = session._jsparkSession.conf().getAll().mkString(SEPARATOR)
    pairs = (pair.partition(" -> ") for pair in pairs_text.split(SEPARATOR))
    return {key: value for key, _, value in pairs}


def refuse_another_spark() -> None:
    """Refuse a Spark that other code started: PySpark supports one Java per process, and its settings would differ."""
    if SparkContext._active_spark_context is not None:
        raise FailedToConnectError(
            "Another Spark runs in this Python process already: stop it first, with `spark.stop()`."
        )


@contextmanager
def _own_interrupt_handler() -> Iterator[None]:
    """Restore the handler of Ctrl-C, which PySpark replaces with one that waits for Java."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
