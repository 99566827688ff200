"""The machine and the versions that measurements depend on."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

PACKAGES = ("dbt-trickle", "dbt-core", "pyspark", "delta-spark", "sqlglot")
GIGABYTE = 1024**3


def describe() -> dict[str, Any]:
    """In values that JSON has. The load says whether something else was running."""
    return {
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "processor": processor(Path("/proc/cpuinfo").read_text("utf-8")),
        "memory": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIGABYTE, 1),
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in PACKAGES},
        "commit": _commit(),
    }


def processor(cpuinfo: str) -> str:
    """The name of the first processor in /proc/cpuinfo; some machines name none."""
    for line in cpuinfo.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return "unknown"


def _commit() -> str:
    """The commit of the code, with `-dirty` where files differ from it; empty outside of git."""
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()
