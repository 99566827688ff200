"""Which of the long tests run today: a share of each kind, another one with every commit."""

from __future__ import annotations

import os
import subprocess
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]

ONE_IN: Mapping[str, int] = {
    "tests/spark/test_cases.py": 32,
    "tests/spark/test_aggregates.py": 8,
    "tests/spark/test_stream_table_crash.py": 6,
    "tests/spark/test_warehouse_runs.py": 8,
    "tests/adapter_suites/test_basic.py::TestSnapshotCheckCols": 4,
}
"""Tests too long for every day, by the beginning of their ids: one in so many runs in `make test`, all in
`make night`."""

NEVER = ("tests/demo/test_whole.py",)
"""Too long for any day: four minutes by itself."""


def is_long(test: str) -> bool:
    return test.startswith((*ONE_IN, *NEVER))


def is_drawn(test: str, commit: str) -> bool:
    """Whether a long test belongs to the sample of a commit. Nothing is drawn without a commit."""
    share = next((share for prefix, share in ONE_IN.items() if test.startswith(prefix)), None)
    return share is not None and commit != "" and zlib.crc32(f"{commit} {test}".encode()) % share == 0


@cache
def current_commit() -> str:
    """The commit that is checked out; TRICKLE_SAMPLE names another, to repeat what failed. '' where git knows none."""
    named = os.environ.get("TRICKLE_SAMPLE")
    if named is not None:
        return named
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return asked.stdout.strip() if asked.returncode == 0 else ""
