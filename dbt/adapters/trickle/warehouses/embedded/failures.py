"""Spark's exceptions as one readable message, and the whole trace for the log."""

# PySpark has no public access to an exception's Java trace and cause.
# ruff: noqa: SLF001
from __future__ import annotations

import errno
import re
import traceback
from collections.abc import Iterator
from pathlib import Path

from dbt.adapters.exceptions.connection import FailedToConnectError
from dbt_common.exceptions import DbtDatabaseError
from py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError
from pyspark.errors.exceptions.captured import CapturedException

from dbt.adapters.trickle.warehouses.embedded.disk import REFUSED, full_sentence, is_full, unwritable_sentence
from dbt.adapters.trickle.warehouses.embedded.spark import has_ended

MAX_LINES = 12
# What the system and the catalog's database say of a warehouse that takes no files.
UNWRITABLE = {"Read-only file system": "Read-only file system", "ERROR 25502": "its catalog is read-only"}
# They say only that something failed while something ran; the cause inside says what.
WRAPPERS = ("[TASK_WRITE_FAILED]", "[FAILED_EXECUTE_UDF]", "[INTERNAL_ERROR")
NO_MEMORY = (
    "OutOfMemoryError",
    "GC overhead limit exceeded",
    "Java heap space",
    "Requested array size exceeds VM limit",
    "Cannot reserve",
    "UNABLE_TO_ACQUIRE_MEMORY",
    "Not enough memory to build and broadcast",
)
"""Java says what there was too little of, and not always that it is an error of its own."""
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
_PLAN_FOLLOWS = re.compile(r"; line \d+ pos \d+;$")


def as_database_error(failure: Exception, process_log: Path) -> DbtDatabaseError:
    """What dbt shall show for an exception that came out of Spark."""
    if isinstance(failure, (Py4JNetworkError, ConnectionError, EOFError)) or has_ended():
        if _printed_no_memory(process_log):
            return FailedToConnectError(OUT_OF_MEMORY)
        return FailedToConnectError(
            f"The embedded Spark ended unexpectedly: {process_log} and spark.log beside it may say why. Nothing is "
            "lost: run dbt again."
        )
    if isinstance(failure, OSError) and failure.errno in REFUSED:
        return FailedToConnectError(unwritable_sentence(process_log.parent.parent, failure))
    return DbtDatabaseError(_message(failure, process_log))


def whole_trace(failure: Exception) -> str:
    """Everything Java said, for the log file."""
    if isinstance(failure, CapturedException):
        return str(failure._stackTrace)
    return "".join(traceback.format_exception(failure))


def _message(failure: Exception, process_log: Path) -> str:
    descriptions = list(_descriptions(failure))
    warehouse = process_log.parent.parent
    for said in descriptions:
        if "No space left on device" in said or is_full(warehouse):
            return full_sentence(warehouse)
        words = next((words for words in UNWRITABLE if words in said), "")
        if words:
            return unwritable_sentence(warehouse, OSError(errno.EROFS, UNWRITABLE[words]))
        if "unable to create native thread" in said or "unable to create new native thread" in said:
            return OUT_OF_THREADS
        if any(words in said for words in NO_MEMORY):
            return OUT_OF_MEMORY
        if "StackOverflowError" in said:
            return OUT_OF_STACK
    classified = [said.lstrip() for said in descriptions if said.lstrip().startswith("[")]
    telling = [said for said in classified if not said.startswith(WRAPPERS)]
    return first_lines((telling or classified or descriptions[-1:])[0])


def _printed_no_memory(process_log: Path) -> bool:
    """Whether Java, which has ended, has left word of it."""
    try:
        return "java.lang.OutOfMemoryError" in process_log.read_text("utf-8", "replace")
    except OSError:
        return False


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
        if stripped.startswith(("at ", "JVM stacktrace:", "Driver stacktrace:", "Caused by:")):
            break
        if stripped and not set(stripped) <= {"^", "-"}:
            lines.append(line.rstrip().rstrip(";"))
        if _PLAN_FOLLOWS.search(stripped):
            break
    return "\n".join(lines[:MAX_LINES])
