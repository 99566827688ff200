"""The user's cache folder: Delta's JARs and the class-data archives, shared by all projects."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

OVERRIDE = "DBT_TRICKLE_CACHE"


def cache_folder(environment: Mapping[str, str]) -> Path:
    if environment.get(OVERRIDE):
        return Path(environment[OVERRIDE]).expanduser().resolve()
    base = environment.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "dbt-trickle"
