"""Settings on which results depend: their defaults by Spark's own list, and what of them is not as it should be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from dbt.adapters.trickle.warehouses.embedded.irrelevant_settings import counts

LISTED = Path(__file__).with_name("spark_settings.txt")
"""Every setting of Spark's and Delta's own lists that counts, a line each: key, blank, default. Spark writes it
(`python -m tests.spark.spark_settings`), and a test asks Spark again."""


def departures(settings: Mapping[str, str]) -> dict[str, str]:
    """Those on which results depend and that are not as they are by default."""
    return {key: canonical(key, settings[key]) for key in sorted(settings) if counts(key) and _departs(key, settings)}


def misset(session: Mapping[str, str], wanted: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    """Those of a session that are not as wanted: key and the value they should have, None for the default."""
    for key in sorted({*session, *wanted}):
        if counts(key) and _effective(key, session) != _effective(key, wanted):
            yield key, wanted.get(key)


def canonical(key: str, value: str) -> str:
    """One spelling of a value: Spark reads booleans and the names of modes in any case."""
    if value.strip().lower() in ("true", "false"):
        return value.strip().lower()
    default = defaults().get(key, "")
    return value.strip().upper() if default.isupper() and default.isascii() else value.strip()


def _departs(key: str, settings: Mapping[str, str]) -> bool:
    return _effective(key, settings) != _effective(key, {})


def _effective(key: str, settings: Mapping[str, str]) -> str | None:
    value = settings.get(key, defaults().get(key))
    return canonical(key, value) if value is not None else None


@cache
def defaults() -> Mapping[str, str]:
    """Key → default. A key that is not listed is an extension's, and has none that is known."""
    lines = (line.partition(" ") for line in LISTED.read_text("utf-8").splitlines())
    return {key: default for key, _, default in lines}
