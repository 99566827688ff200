"""The names of a stream table's storage, its folder and its hidden columns, and how any name is quoted."""

from __future__ import annotations

from pathlib import Path

from trickle import Name
from trickle.sql.references import is_path

STORAGE_SUFFIX = "__trickle"
PART = "__part_"
"""Between a model's name and the fingerprint of a grouping inside it: the name of the arrangement that stores it."""
HIDDEN_PREFIX = "__trickle_"
COUNT = f"{HIDDEN_PREFIX}count"
"""The hidden column with the number of visible rows per stored row."""


def quoted(name: str) -> str:
    escaped = name.replace("`", "``")
    return f"`{escaped}`"


def storage_name(identifier: str) -> str:
    return f"{identifier}{STORAGE_SUFFIX}"


def folder_named(name: Name) -> Path | None:
    """The folder that delta.`/data/Mix` names, if it is local; None for all other names."""
    if not is_path(name) or name[0] != "delta":
        return None
    return local_folder(name[1])


def local_folder(location: str) -> Path | None:
    """The folder of a location in Spark's catalog, where nothing is escaped; None for other file systems."""
    plain = location.removeprefix("file:")
    return Path("/" + plain.lstrip("/")) if plain.startswith("/") else None


def location_folder(location_root: str) -> Path:
    """The folder that the config `location_root` names, with or without `file:`."""
    return local_folder(location_root) or Path(location_root)
