"""What this machine offers to a local Spark."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

GIBIBYTE = 1024**3
READ_BY_JAVA = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
_SIZE = re.compile(r"(\d+)([kKmMgGtT]?)")
_COLLECTOR = re.compile(r"-XX:\+Use\w+GC\b")


def core_count() -> int:
    """Cores this process may use, which in a container can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def heap_for(memory: int) -> str:
    """A quarter of the memory between 1 and 8 GiB: dbt, the editor and the browser live here too."""
    gibibytes = min(8, max(1, memory // (4 * GIBIBYTE)))
    return f"{gibibytes}g"


def tables_remembered(heap: str) -> int:
    """How many tables' states Delta may keep, each of some 6 MB: a third of the heap.

    Left alone it keeps ten thousand for an hour, and a project of some hundred models ends in collecting garbage.
    """
    return max(16, (heap_bytes(heap) or GIBIBYTE) // (18 * 1024**2))


def page_of(heap: str) -> str:
    """What Spark takes of the heap at a time, for every broadcast table and every hash table, if it holds one row.

    Left alone it takes 32 MB of a heap of 2 GB: thirty small joins fill it. A task has 8192 pages at most.
    """
    return f"{-(-(heap_bytes(heap) or GIBIBYTE) // (8 * GIBIBYTE))}m"


def heap_bytes(heap: str) -> int | None:
    """A size as Java is told it; None for what Java does not read."""
    given = _SIZE.fullmatch(heap)
    return int(given[1]) * 1024 ** " kmgt".index((given[2] or " ").lower()) if given else None


def collector(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Spark's buffers are what G1 calls humongous in a small heap: each starts a collection of the whole of it.

    Java does not start with two collectors, so one that the user's environment names is left alone.
    """
    named = any(_COLLECTOR.search(environment.get(name, "")) for name in READ_BY_JAVA)
    return () if named else ("-XX:+UseParallelGC",)
