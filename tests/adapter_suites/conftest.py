"""dbt's public conformance suites, on the embedded warehouse that all tests share.

Each class gets a schema of its own. A suite's file says only what Spark writes differently.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dbt.tests.fixtures.project import *  # noqa: F403 — fixtures are found by name in this module


@pytest.fixture(scope="class")
def dbt_profile_target(shared_warehouse: Path) -> dict[str, Any]:
    return {
        "type": "trickle",
        "threads": 1,
        "warehouse": str(shared_warehouse),
        "driver_memory": "2g",
    }


@pytest.fixture(scope="class")
def profile_user() -> str:
    """The suites ask a profile for a user, and there is none."""
    return "root"
