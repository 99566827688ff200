"""Cycles that dbt does not detect, because one of their edges is a physical name and not a `ref`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Optional


def find_circle(start: str, reads: Mapping[str, Iterable[str]]) -> Optional[tuple[str, ...]]:
    """The shortest cycle through a node along the edges of `reads`, with the node at both ends."""
    reached_from: dict[str, str] = {}
    level = [start]
    while level:
        following: list[str] = []
        for node in level:
            for read in sorted(set(reads.get(node, ()))):
                if read == start:
                    return (*_path(start, node, reached_from), start)
                if read not in reached_from:
                    reached_from[read] = node
                    following.append(read)
        level = following
    return None


def _path(start: str, node: str, reached_from: Mapping[str, str]) -> tuple[str, ...]:
    steps = [node]
    while steps[-1] != start:
        steps.append(reached_from[steps[-1]])
    return tuple(reversed(steps))
