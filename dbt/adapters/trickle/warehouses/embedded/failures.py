"""Spark's exceptions as values, as one readable message, and with their whole trace for the log.

Spark gives most exceptions a condition, an SQLSTATE and parameters, also those that a task sent to the driver. What has
none of these (Java out of memory or stack, a full disk, a Java that has ended) is recognized here, and only here, by
its class or its text, and given a condition of ours.
"""

# PySpark has no public access to an exception's Java object, trace and cause.
# ruff: noqa: SLF001
from __future__ import annotations

import errno
import re
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from dbt.adapters.exceptions.connection import FailedToConnectError
from dbt_common.exceptions import DbtDatabaseError
from py4j.java_gateway import is_instance_of
from py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError
from pyspark import SparkContext
from pyspark.errors import PySparkException
from pyspark.errors.exceptions.captured import CapturedException

from dbt.adapters.trickle.ports import StatementFailed
from dbt.adapters.trickle.warehouses.embedded.disk import REFUSED, full_sentence, is_full, unwritable_sentence
from dbt.adapters.trickle.warehouses.embedded.spark import has_ended
from dbt.adapters.trickle.warehouses.failure_text import STACK, is_wrapper, shown
from trickle import Failure
from trickle.planning.fallback import STACK_OVERFLOW, TOO_MANY_ITERATIONS

MAX_CAUSES = 20
SPARK_THROWABLE = "org.apache.spark.SparkThrowable"
# What the system and the catalog's database say of a warehouse that takes no files.
UNWRITABLE_TEXTS = {"Read-only file system": "Read-only file system", "ERROR 25502": "its catalog is read-only"}
NO_MEMORY = (
    "OutOfMemoryError",
    "GC overhead limit exceeded",
    "Java heap space",
    "Requested array size exceeds VM limit",
    "Cannot reserve",
    "UNABLE_TO_ACQUIRE_MEMORY",
    "Not enough memory to build and broadcast",
)
"""Java's messages for too little memory, some of them without the class of the error."""
OUT_OF_MEMORY = (
    "Spark ran out of memory: raise `driver_memory` in the profile, for example `driver_memory: 4g`, "
    "or lower `threads`."
)
OUT_OF_THREADS = (
    "The system lets Java start no further thread: lower `threads` and `cores` in the profile, or raise the limit of "
    "processes (`ulimit -u`, or the container's)."
)
OUT_OF_STACK = (
    "The query is nested too deep for Spark: take it apart into several models, or give Java a larger stack "
    "(`JDK_JAVA_OPTIONS=-Xss16m` in the environment)."
)
ENDED, UNWRITABLE = "TRICKLE_SPARK_ENDED", "TRICKLE_WAREHOUSE_UNWRITABLE"
FULL, READ_ONLY = "TRICKLE_DISK_FULL", "TRICKLE_WAREHOUSE_READ_ONLY"
NO_MEMORY_LEFT, NO_THREADS_LEFT = "TRICKLE_OUT_OF_MEMORY", "TRICKLE_OUT_OF_THREADS"
"""Our conditions for what Spark has none for."""
NO_CONNECTION = (ENDED, UNWRITABLE)
"""Conditions after which no further statement can run."""
_PLAN_FOLLOWS = re.compile(r"; line \d+ pos \d+;$")


def is_of_spark(failure: Exception) -> bool:
    """Whether an exception came out of Spark, its Java, or the connection with it."""
    return isinstance(failure, (PySparkException, Py4JError, ConnectionError, EOFError)) or has_ended()


class WarehouseLost(StatementFailed, FailedToConnectError):
    """A failure after which no further statement can run."""


def statement_failed(failure: Exception, sql: str, process_log: Path) -> StatementFailed:
    """An exception that came out of Spark, as the port's own."""
    translated = failure_of(failure, process_log)
    return WarehouseLost(translated, sql) if translated.condition in NO_CONNECTION else StatementFailed(translated, sql)


def failure_of(failure: Exception, process_log: Path) -> Failure:
    """An exception's condition, SQLSTATE, parameters and causes; its message is what the user shall read."""
    own = _outside_spark(failure, process_log)
    outer, *causes = _java_chain(failure) or [Failure("", "", "")]
    if own is not None:
        return replace(own, causes=tuple(cause for cause in (outer, *causes) if cause.condition))
    return replace(outer, message=_message(failure), causes=tuple(causes))


def as_database_error(failure: Exception, process_log: Path) -> DbtDatabaseError:
    """What dbt shall show for an exception that came out of Spark."""
    translated = failure.failure if isinstance(failure, StatementFailed) else failure_of(failure, process_log)
    kind = FailedToConnectError if translated.condition in NO_CONNECTION else DbtDatabaseError
    return kind(translated.message)


def whole_trace(failure: Exception) -> str:
    """Java's whole trace, for the log file."""
    raised = failure.__cause__ if isinstance(failure, StatementFailed) else failure
    if isinstance(raised, CapturedException):
        return str(raised._stackTrace)
    return "".join(traceback.format_exception(raised or failure))


def _outside_spark(failure: Exception, process_log: Path) -> Failure | None:
    """What has no condition of Spark's, or one that does not say what the user must do."""
    warehouse = process_log.parent.parent
    if isinstance(failure, (Py4JNetworkError, ConnectionError, EOFError)) or has_ended():
        if _printed_no_memory(process_log):
            return Failure(ENDED, "", OUT_OF_MEMORY)
        sentence = (
            f"The embedded Spark ended unexpectedly: {process_log} and spark.log beside it may say why. Nothing is "
            "lost: run dbt again."
        )
        return Failure(ENDED, "", sentence)
    if isinstance(failure, OSError) and failure.errno in REFUSED:
        return Failure(UNWRITABLE, "", unwritable_sentence(warehouse, failure))
    for text in _descriptions(failure):
        if "No space left on device" in text or is_full(warehouse):
            return Failure(FULL, "", full_sentence(warehouse))
        phrase = next((phrase for phrase in UNWRITABLE_TEXTS if phrase in text), "")
        if phrase:
            refused = OSError(errno.EROFS, UNWRITABLE_TEXTS[phrase])
            return Failure(READ_ONLY, "", unwritable_sentence(warehouse, refused))
        if "unable to create native thread" in text or "unable to create new native thread" in text:
            return Failure(NO_THREADS_LEFT, "", OUT_OF_THREADS)
        if any(words in text for words in NO_MEMORY):
            return Failure(NO_MEMORY_LEFT, "", OUT_OF_MEMORY)
        if "StackOverflowError" in text:
            return Failure(STACK_OVERFLOW, "", OUT_OF_STACK)
    return None


def _message(failure: Exception) -> str:
    descriptions = list(_descriptions(failure))
    classified = [text.lstrip() for text in descriptions if text.lstrip().startswith("[")]
    informative = [text for text in classified if not is_wrapper(text[1:].partition("]")[0])]
    return first_lines((informative or classified or descriptions[-1:])[0])


def _printed_no_memory(process_log: Path) -> bool:
    """Whether Java, which has ended, has left word of it."""
    try:
        return "java.lang.OutOfMemoryError" in process_log.read_text("utf-8", "replace")
    except OSError:
        return False


def _java_chain(failure: Exception) -> list[Failure]:
    """The Java exception and its causes, outermost first; empty where there is none, or Java has ended."""
    java = _java_exception(failure)
    chain: list[Failure] = []
    while java is not None and len(chain) < MAX_CAUSES and not has_ended():
        chain.append(_value_of(java))
        java = java.getCause()
    return chain


def _java_exception(failure: Exception) -> Any:
    if isinstance(failure, CapturedException):
        return failure._origin
    return failure.java_exception if isinstance(failure, Py4JJavaError) else None


def _value_of(java: Any) -> Failure:
    """One Java exception. Those that are not Spark's own have no condition, but for two by which we decide."""
    message = str(java.getMessage() or "")
    if not is_instance_of(SparkContext._gateway, java, SPARK_THROWABLE):
        kind = str(java.getClass().getName())
        if kind == "java.lang.StackOverflowError":
            return Failure(STACK_OVERFLOW, "", OUT_OF_STACK)
        # Thrown by Spark's analyzer as a plain RuntimeException.
        endless = kind == "java.lang.RuntimeException" and message.startswith("Max iterations (")
        return Failure(TOO_MANY_ITERATIONS if endless else "", "", f"{kind}: {message}")
    parameters = {str(key): str(value) for key, value in dict(java.getMessageParameters() or {}).items()}
    return Failure(str(java.getCondition() or ""), str(java.getSqlState() or ""), message, parameters)


def _descriptions(failure: Exception) -> Iterator[str]:
    """The failure's own words, then its causes', outermost first."""
    if isinstance(failure, CapturedException):
        cause: Exception | None = failure
        while isinstance(cause, CapturedException):
            yield str(cause._desc)
            cause = cause._cause
    elif isinstance(failure, Py4JJavaError):
        java = failure.java_exception
        while java is not None:
            yield str(java.getMessage() or java.toString())
            java = java.getCause()
    elif isinstance(failure, Py4JError):
        yield str(failure)
    else:
        yield str(failure) or type(failure).__name__


def first_lines(text: str) -> str:
    """Without Java's stack frames and Spark's query plans, and not more than a screen can hold."""
    lines: list[str] = []
    for line in text.strip().splitlines():
        stripped = line.strip()
        if stripped.startswith(("at ", STACK, "Driver stacktrace:", "Caused by:")):
            break
        lines.append(line.rstrip().rstrip(";"))
        if _PLAN_FOLLOWS.search(stripped):
            break
    return shown(lines)
