"""How random examples are drawn: never timed, and always with a way to replay a failure."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "trickle",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("trickle")
