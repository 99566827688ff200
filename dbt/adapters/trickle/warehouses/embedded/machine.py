"""The machine's resources for a local Spark."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

GIBIBYTE = 1024**3
READ_BY_JAVA = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
_SIZE = re.compile(r"(\d+)([kKmMgGtT]?)")
_COLLECTOR = re.compile(r"-XX:\+Use\w+GC\b")


def core_count() -> int:
    """The cores this process may use, which in a container can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def heap_for(memory: int) -> str:
    """A quarter of the memory, between 1 and 8 GiB: dbt and other programs need memory too."""
    gibibytes = min(8, max(1, memory // (4 * GIBIBYTE)))
    return f"{gibibytes}g"


def cached_snapshots(heap: str) -> int:
    """The number of table snapshots Delta may cache, each of some 6 MB: a third of the heap.

    By default it caches ten thousand for an hour, and a project of some hundred models fills the heap.
    """
    return max(16, (heap_bytes(heap) or GIBIBYTE) // (18 * 1024**2))


def page_of(heap: str) -> str:
    """Spark's page size: the heap taken at a time for every broadcast table and every hash table, even of one row.

    The default is 32 MB with a heap of 2 GB, which thirty small joins fill. A task has at most 8192 pages.
    """
    return f"{-(-(heap_bytes(heap) or GIBIBYTE) // (8 * GIBIBYTE))}m"


def heap_bytes(heap: str) -> int | None:
    """The bytes of a size in Java's notation; None if it is invalid."""
    match = _SIZE.fullmatch(heap)
    return int(match[1]) * 1024 ** " kmgt".index((match[2] or " ").lower()) if match else None


def collector(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Java's option for a parallel collector; none if the environment names a collector, because Java accepts only one.

    For G1, Spark's buffers are humongous objects in a small heap: each starts a collection of the whole heap.
    """
    named = any(_COLLECTOR.search(environment.get(name, "")) for name in READ_BY_JAVA)
    return () if named else ("-XX:+UseParallelGC",)
