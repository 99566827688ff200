"""What Spark says of a failure, as far as it is for people, and whether it says more than that something failed."""

from __future__ import annotations

from collections.abc import Iterable

MAX_LINES = 12
STACK = "JVM stacktrace:"
"""After this line a message goes on with Java's stack."""
_WRAPPERS = ("TASK_WRITE_FAILED", "FAILED_EXECUTE_UDF")
_INTERNAL = "INTERNAL_ERROR"


def is_wrapper(condition: str) -> bool:
    """Whether the condition says only that something failed while something ran; a cause says what."""
    return condition in _WRAPPERS or condition.startswith(_INTERNAL)


def shown(lines: Iterable[str]) -> str:
    """Without empty lines and those that underline another, and not more than a screen can hold."""
    readable = [line.rstrip() for line in lines if not set(line.strip()) <= {"^", "-"}]
    return "\n".join(readable[:MAX_LINES])
