"""How random examples are drawn: never timed, and always with a way to replay a failure."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "trickle",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("trickle")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With `--dist loadgroup`, everything that starts a JVM runs one after the other, beside the rest."""
    for item in items:
        if item.get_closest_marker("spark") or item.get_closest_marker("conformance"):
            item.add_marker(pytest.mark.xdist_group("spark"))
