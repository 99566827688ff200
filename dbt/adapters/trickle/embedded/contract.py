"""The contract: the settings and versions that query results depend on."""

from __future__ import annotations

from importlib.metadata import version

from dbt.adapters.trickle.embedded.settings import (
    ANSI,
    CASE_SENSITIVE,
    TIME_ZONE,
    SparkProfile,
    session_settings,
)


def contract(credentials: SparkProfile) -> dict[str, str]:
    """What every session of this profile pins, known without starting Spark."""
    settings = session_settings(credentials, cores=1)
    return {
        "time_zone": settings[TIME_ZONE],
        "ansi": settings[ANSI].lower(),
        "case_sensitive": settings[CASE_SENSITIVE].lower(),
        "spark": version("pyspark"),
        "delta": version("delta-spark"),
    }
