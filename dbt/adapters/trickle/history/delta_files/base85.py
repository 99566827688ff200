"""Base85 with ZeroMQ's alphabet, as Delta writes bytes into its log: five characters for every four bytes."""

from __future__ import annotations

_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"


def decoded(text: str) -> bytes:
    """The bytes, with up to three zeros more than were written where their number is no multiple of four."""
    content = b""
    for start in range(0, len(text), 5):
        number = 0
        for character in text[start : start + 5]:
            number = number * 85 + _ALPHABET.index(character)
        content += number.to_bytes(4, "big")
    return content
