"""Where a deletion vector lies: Delta writes the name of its file as a UUID in Base85, or the vector itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dbt.adapters.trickle.history.delta_files.base85 import decoded

_ENCODED = 20
"""Characters of an encoded UUID; what comes before them is a folder."""


@dataclass(frozen=True)
class Vector:
    """The deletion vector of a data file, as an action of the log describes it."""

    rows: int
    """Rows it hides."""
    path: str = ""
    """Its file, as the log writes paths; '' for a vector that is in the log itself."""
    offset: int = 0
    inline: str = ""


def vector_of(descriptor: Mapping[str, Any]) -> Vector:
    inline = str(descriptor.get("pathOrInlineDv", "")) if descriptor.get("storageType") == "i" else ""
    rows, offset = int(descriptor.get("cardinality", 0)), int(descriptor.get("offset") or 0)
    return Vector(rows, _file(descriptor), offset, inline)


def _file(descriptor: Mapping[str, Any]) -> str:
    location = str(descriptor.get("pathOrInlineDv", ""))
    match descriptor.get("storageType"):
        case "p":
            return location
        case "u" if len(location) >= _ENCODED:
            folder, name = location[:-_ENCODED], f"deletion_vector_{UUID(bytes=decoded(location[-_ENCODED:]))}.bin"
            return f"{folder}/{name}" if folder else name
        case _:
            return ""
