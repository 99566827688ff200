"""Which of the long tests run today: a share of each kind, another one with every commit, and never none of a kind."""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]

EVERY_DAY = 1
SUITES = "tests/adapter_suites/"

ONE_IN: Mapping[str, int] = {
    "tests/cli/test_cases.py::test_variants_hold_on_duckdb": 4,
    "tests/planted/test_planted.py::test_the_laws_find_a_planted_bug": 4,
    SUITES: 6,
    f"{SUITES}test_basic.py": 4,
    f"{SUITES}test_materialized_view.py": 4,
    "tests/simulation/test_days.py": 2,
    "tests/spark/": 6,
    "tests/spark/test_aggregates.py": 8,
    "tests/spark/test_cases.py": 40,
    "tests/spark/test_idle_without_java.py": 5,
    "tests/spark/test_monitoring.py": 6,
    "tests/spark/test_sources.py": 4,
    "tests/spark/test_stream_table_citizen.py": 4,
    "tests/spark/test_stream_table_crash.py": 3,
    "tests/spark/test_stream_table_refresh.py": 5,
    "tests/spark/test_stream_table_schedule.py": 4,
    "tests/spark/test_unseen_inputs.py": 4,
    "tests/spark/test_warehouse_runs.py": 8,
    # Built, kept up and verified; while others write; over Spark Connect. No other test shows these on Spark.
    "tests/spark/test_stream_table_refresh.py::test_built_kept_up_and_left_alone": EVERY_DAY,
    "tests/spark/test_one_vector.py::test_every_node_reflects_the_version_pinned_first": EVERY_DAY,
    "tests/spark/test_connect.py": EVERY_DAY,
    # Short, once a Spark is running.
    "tests/spark/test_failures.py": EVERY_DAY,
    "tests/spark/test_same_meaning.py": EVERY_DAY,
    "tests/spark/test_types.py": EVERY_DAY,
    "tests/spark/test_warehouse_sessions.py": EVERY_DAY,
}
"""Tests too long for every day, by the beginning of their ids: one in so many runs in `make test`, all in
`make night`. The longest beginning counts."""

NEVER = ("tests/demo/test_whole.py",)
"""Too long for any day: four minutes by itself."""


def kind_of(test: str) -> str:
    """The beginning by which a test is drawn; '' for one that is not listed."""
    return max((prefix for prefix in ONE_IN if test.startswith(prefix)), key=len, default="")


def is_long(test: str) -> bool:
    return test.startswith(NEVER) or ONE_IN.get(kind_of(test), EVERY_DAY) > EVERY_DAY


def drawn(tests: Iterable[str], commit: str) -> frozenset[str]:
    """The long tests among these that belong to the sample of a commit. Nothing is drawn without a commit.

    At least one of each kind is. dbt's suites are drawn by class, because what they build is built once a class.
    """
    kinds: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for test in tests:
        if commit and is_long(test) and not test.startswith(NEVER):
            kinds[kind_of(test)][_unit(test)].add(test)
    return frozenset(
        test
        for kind, units in kinds.items()
        for unit in sorted(units, key=lambda unit: _lot(commit, unit))[: -(-len(units) // ONE_IN[kind])]
        for test in units[unit]
    )


def _unit(test: str) -> str:
    """What is drawn as a whole."""
    return test.rpartition("::")[0] if test.startswith(SUITES) else test


def _lot(commit: str, unit: str) -> bytes:
    return sha256(f"{commit} {unit}".encode()).digest()


@cache
def current_commit() -> str:
    """The commit that is checked out; TRICKLE_SAMPLE names another, to repeat what failed. '' where git knows none."""
    named = os.environ.get("TRICKLE_SAMPLE")
    if named is not None:
        return named
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return asked.stdout.strip() if asked.returncode == 0 else ""
