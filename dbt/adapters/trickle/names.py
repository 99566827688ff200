"""How a stream table's storage and its hidden columns are called."""

from __future__ import annotations

from pathlib import Path

from trickle import Name, is_path

STORAGE_SUFFIX = "__trickle"
HIDDEN_PREFIX = "__trickle_"
COUNT = f"{HIDDEN_PREFIX}count"
"""The hidden column that says how often a stored row is shown."""


def storage_name(identifier: str) -> str:
    return f"{identifier}{STORAGE_SUFFIX}"


def folder_named(name: Name) -> Path | None:
    """The folder that delta.`/data/Mix` names, where its log can be read from here; None for all other names."""
    if not is_path(name) or name[0] != "delta":
        return None
    return local_folder(name[1])


def local_folder(location: str) -> Path | None:
    """A folder as Spark's catalog says where it lies: nothing in it is escaped. None for other file systems."""
    plain = location.removeprefix("file:")
    return Path("/" + plain.lstrip("/")) if plain.startswith("/") else None
