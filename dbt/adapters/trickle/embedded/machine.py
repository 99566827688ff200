"""What this machine offers to a local Spark."""

from __future__ import annotations

import os

GIBIBYTE = 1024**3


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
