"""ReadClass: what maintaining a view reads, from its change alone to everything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class ReadClass(Enum):
    """The four classes, from the least that is read to the most."""

    BY_CHANGE = "by change"
    """Sources are read by their change, and joined tables only for the rows it meets."""
    BY_KEY = "by key"
    """Touched groups, keys or partitions, or a part of an order, are read again."""
    WHOLE = "whole"
    """A group, partition, order or join that is everything is computed again: a recompute of that part."""
    RECOMPUTE = "recompute"
    """The query is recomputed as a whole."""


@dataclass(frozen=True)
class ReadAgain:
    """Rows that are read beside the change and what it meets, in words, and the class this makes of a view."""

    read_class: ReadClass
    rows: str


def least(classes: Iterable[ReadClass]) -> ReadClass:
    """The class that reads the least."""
    return min(classes, key=list(ReadClass).index)


def worst(classes: Iterable[ReadClass]) -> ReadClass:
    """The class that reads the most; of none of them, that of a view that reads nothing."""
    return max(classes, key=list(ReadClass).index, default=ReadClass.BY_CHANGE)
