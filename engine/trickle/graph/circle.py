"""Circles that dbt cannot see, because one of their steps is a physical name and no `ref`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Optional


def find_circle(start: str, reads: Mapping[str, Iterable[str]]) -> Optional[tuple[str, ...]]:
    """The shortest way from a node over what it reads back to itself, both ends included."""
    came_from: dict[str, str] = {}
    level = [start]
    while level:
        following: list[str] = []
        for node in level:
            for read in sorted(set(reads.get(node, ()))):
                if read == start:
                    return (*_way(start, node, came_from), start)
                if read not in came_from:
                    came_from[read] = node
                    following.append(read)
        level = following
    return None


def _way(start: str, node: str, came_from: Mapping[str, str]) -> tuple[str, ...]:
    steps = [node]
    while steps[-1] != start:
        steps.append(came_from[steps[-1]])
    return tuple(reversed(steps))
