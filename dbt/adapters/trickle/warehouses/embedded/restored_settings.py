"""Restoring a session's settings: those that a hook has changed and results depend on."""

from __future__ import annotations

from collections.abc import Mapping

from dbt.adapters.trickle.warehouses.embedded.contract import NAMED, settings_of
from dbt.adapters.trickle.warehouses.embedded.relevant_settings import departures, misset
from dbt.adapters.trickle.warehouses.embedded.settings import SparkProfile, session_settings
from dbt.adapters.trickle.warehouses.settings_of_session import Settings
from trickle import Stamp
from trickle.catalog.frontier import FIRST_ENGINE


def restore_settings(session: Settings, wanted: Mapping[str, str]) -> list[str]:
    """Give every setting on which results depend its wanted value. Returns which had another one, and which."""
    current = session.settings()
    departed = dict(misset(current, wanted))
    session.set(departed)
    return [f"{key} to {current.get(key, 'its default')}" for key in departed]


def of_profile(profile: SparkProfile) -> dict[str, str]:
    """The settings under which every refresh runs."""
    return session_settings(profile, cores=1)


def of_stamp(profile: SparkProfile, stamp: Stamp) -> dict[str, str]:
    """The settings that rows were written under: from the stamp where it has them, else from the profile."""
    settings = of_profile(profile)
    if stamp.engine != FIRST_ENGINE:
        left_out = departures(settings).keys() - set(NAMED.values()) - stamp.contract.keys()
        settings = {key: value for key, value in settings.items() if key not in left_out}
    return {**settings, **settings_of(stamp.contract)}
