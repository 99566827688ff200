"""dbt's public conformance suites, on one embedded warehouse for the whole test process.

Each class gets a schema of its own. A suite's file says only what Spark writes differently.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from dbt.tests.fixtures.project import *  # noqa: F403 — fixtures are found by name in this module


@pytest.fixture(scope="session")
def suite_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield str(tmp_path_factory.mktemp("warehouse"))
    from dbt.adapters.trickle.embedded import warehouse

    warehouse.close()


@pytest.fixture(scope="class")
def dbt_profile_target(suite_warehouse: str) -> dict[str, Any]:
    return {
        "type": "trickle",
        "threads": 1,
        "warehouse": suite_warehouse,
        "driver_memory": "2g",
        "user": "root",
    }
