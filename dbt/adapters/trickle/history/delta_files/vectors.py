"""The file of a deletion vector: Delta writes its name as a UUID in Base85 (ZeroMQ's alphabet)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_ENCODED = 20
"""Characters of an encoded UUID; what comes before them is a folder."""


def vector_file(descriptor: Mapping[str, Any]) -> str:
    """The path as the log writes paths; '' for a vector that is in the log itself, and for none."""
    location = str(descriptor.get("pathOrInlineDv", ""))
    match descriptor.get("storageType"):
        case "p":
            return location
        case "u" if len(location) >= _ENCODED:
            folder, name = location[:-_ENCODED], f"deletion_vector_{_uuid(location[-_ENCODED:])}.bin"
            return f"{folder}/{name}" if folder else name
        case _:
            return ""


def _uuid(encoded: str) -> UUID:
    """Five characters for every four bytes."""
    content = b""
    for start in range(0, _ENCODED, 5):
        number = 0
        for character in encoded[start : start + 5]:
            number = number * 85 + _ALPHABET.index(character)
        content += number.to_bytes(4, "big")
    return UUID(bytes=content)
