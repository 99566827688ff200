"""What the engine is told about functions that users have created."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Optional

Name = tuple[str, ...]


@dataclass(frozen=True)
class Routine:
    """A function in the catalog."""

    name: Name
    """(schema, identifier), lower-cased."""
    parameters: tuple[str, ...] = ()
    body: str = ""
    """The expression it returns."""
    fingerprint: str = ""
    """Of everything that decides what it answers, other functions aside."""
    unknown: str = ""
    """Why its answer may change although its arguments do not, where that can be said without reading the body."""


ResolveRoutine = Callable[[Name], Optional[Routine]]
"""Answers what stands behind the name of a function; None when nothing does, or one of Spark's own."""


def no_routines(name: Name) -> Optional[Routine]:
    """Where there is no catalog to ask."""
    return None
