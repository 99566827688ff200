"""Functions that users have created, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

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
