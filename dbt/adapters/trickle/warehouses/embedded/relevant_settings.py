"""Settings on which results depend: their defaults by Spark's own list, and which of them differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from dbt.adapters.trickle.warehouses.embedded.irrelevant_settings import is_relevant

LISTED = Path(__file__).with_name("spark_settings.txt")
"""Every relevant setting of Spark's and Delta's own lists, one per line: key, blank, default. Generated from Spark
(`python -m tests.spark.spark_settings`), and compared with Spark by a test."""


def departures(settings: Mapping[str, str]) -> dict[str, str]:
    """The relevant settings that differ from their defaults, with normalized values."""
    return {
        key: canonical(key, settings[key]) for key in sorted(settings) if is_relevant(key) and _departs(key, settings)
    }


def misset(session: Mapping[str, str], wanted: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    """The relevant settings of a session that differ from the wanted ones: key and wanted value, None: default."""
    for key in sorted({*session, *wanted}):
        if is_relevant(key) and _effective(key, session) != _effective(key, wanted):
            yield key, wanted.get(key)


def canonical(key: str, value: str) -> str:
    """The normalized spelling of a value: Spark reads booleans and names of modes in any case."""
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
    """Key → default. A key that is not listed belongs to an extension, and its default is unknown."""
    lines = (line.partition(" ") for line in LISTED.read_text("utf-8").splitlines())
    return {key: default for key, _, default in lines}
