"""The contract: the settings and versions that query results depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.metadata import version

from dbt.adapters.trickle.warehouses.embedded.relevant_settings import defaults, departures
from dbt.adapters.trickle.warehouses.embedded.settings import (
    ANSI,
    CASE_SENSITIVE,
    TIME_ZONE,
    SparkProfile,
    session_settings,
)

NAMED = {"time_zone": TIME_ZONE, "ansi": ANSI, "case_sensitive": CASE_SENSITIVE}
"""The settings that every contract has, by their names in stamps."""


def contract(profile: SparkProfile) -> dict[str, str]:
    """The settings and versions of every session of this profile, known without starting Spark.

    Other settings on which results depend are included if they differ from Spark's defaults.
    """
    settings = session_settings(profile, cores=1)
    others = {key: value for key, value in settings.items() if key not in NAMED.values()}
    return {
        "time_zone": settings[TIME_ZONE],
        "ansi": settings[ANSI].lower(),
        "case_sensitive": settings[CASE_SENSITIVE].lower(),
        "spark": version("pyspark"),
        "delta": version("delta-spark"),
        **{key: _recorded(key, value) for key, value in departures(others).items()},
    }


def settings_of(contract: Mapping[str, str]) -> dict[str, str]:
    """The settings whose values a contract contains, by Spark's names."""
    named = {NAMED[part]: value for part, value in contract.items() if part in NAMED}
    return {**named, **{key: value for key, value in contract.items() if key in defaults()}}


def _recorded(key: str, value: str) -> str:
    """The value of a setting in a stamp; a fingerprint for settings of extensions, which may be passwords."""
    if key in defaults():
        return value
    return f"fingerprint {hashlib.sha256(value.encode()).hexdigest()[:12]}"
