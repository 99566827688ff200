"""Signature: how many arguments a function takes, and of which types none of them may be.

These are Spark's own answers to one call after the other, with every other argument NULL;
tests/spark/test_odd_spellings.py compares them again.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

CONSTANT = "!"
"""Of an argument: it may not be computed from a row."""


@dataclass(frozen=True)
class Signature:
    """The arguments of a function."""

    counts: str
    refused: tuple[str, ...]
    """By position, the kinds that are refused there."""

    def takes(self, count: int) -> bool:
        return any(first <= count <= last for first, last in self._ranges)

    @property
    def fewest(self) -> int:
        return min(first for first, _ in self._ranges)

    def refuses(self, position: int, kind: str) -> bool:
        return position < len(self.refused) and kind in self.refused[position]

    def wants_constant(self, position: int) -> bool:
        return position < len(self.refused) and CONSTANT in self.refused[position]

    @property
    def words(self) -> str:
        """How many arguments it takes, for a sentence."""
        parts = [part.replace("-", " to ") for part in self.counts.split(",")]
        text = " or ".join(f"{part[:-1]} or more" if part.endswith("+") else part for part in parts)
        return f"{text} argument{'' if text == '1' else 's'}"

    @property
    def _ranges(self) -> list[tuple[int, int]]:
        return [_range(part) for part in self.counts.split(",")]


def _range(part: str) -> tuple[int, int]:
    """`2`, `2-4` and `2+`."""
    if part.endswith("+"):
        return int(part[:-1]), sys.maxsize
    first, _, last = part.partition("-")
    return int(first), int(last or first)
