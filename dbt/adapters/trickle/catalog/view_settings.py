"""The settings that views and SQL functions keep from the session that created them, against this session's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from dbt.adapters.trickle.warehouses.embedded.irrelevant_settings import is_relevant


class SettingsHere(Protocol):
    """The session that reads."""

    def captured(self) -> Mapping[str, str]:
        """What a view that is created now would keep."""

    def default(self, key: str) -> str | None:
        """What a setting is to Spark where nobody sets it."""


class _NothingSet:
    def captured(self) -> Mapping[str, str]:
        return {}

    def default(self, key: str) -> str | None:
        return None


NOTHING_SET: SettingsHere = _NothingSet()
"""A session in which nothing is set and Spark has no defaults: for answers that need no Spark."""


def disagreement(captured: Mapping[str, str], here: SettingsHere, matters: Callable[[str], bool] = is_relevant) -> str:
    """The first setting with another value there than here, as a sentence; empty where all agree.

    A setting that is not stored has Spark's default there, whatever its value here.
    """
    now = here.captured()
    for key in sorted({*captured, *now}):
        if not matters(key):
            continue
        there, mine = (settings[key] if key in settings else here.default(key) for settings in (captured, now))
        if (there or "").lower() != (mine or "").lower():
            return f"it was created under {key} {there or 'unset'}, and here that is {mine or 'unset'}"
    return ""
