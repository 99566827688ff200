"""How random examples are drawn: never timed, and always with a way to replay a failure."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.rotation import current_commit, drawn, is_long

# A class-data archive in the making takes a core for a minute: the tests of it turn it on themselves.
os.environ.setdefault("DBT_TRICKLE_ARCHIVE", "off")

# Short tests end before Java's second compiler pays for itself. Without it Java keeps 48 MB for compiled code, which a
# few hundred queries fill: from then on it sweeps and compiles the same methods again.
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m")

settings.register_profile(
    "trickle",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("trickle")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is too long for today, and begin with the longest.

    With `--dist worksteal` a worker that is done takes over the end of what the other still has to do. So short tests
    even out the end, and neighbours stay on one worker, which sets them up once.
    """
    today = drawn((item.nodeid for item in items if not item.get_closest_marker("night")), current_commit())
    for item in items:
        if is_long(item.nodeid) and item.nodeid not in today:
            item.add_marker(pytest.mark.night)
    items.sort(key=lambda item: (item.get_closest_marker("spark") is None, not is_long(item.nodeid)))


@pytest.fixture(scope="session")
def shared_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The warehouse of all tests that need none of their own, kept apart by schemas: starting Spark takes longest."""
    yield tmp_path_factory.mktemp("warehouse")
    from dbt.adapters.trickle.warehouses.embedded import spark as warehouse

    warehouse.close()
