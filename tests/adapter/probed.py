"""A probe's answer in the form in which tests compare it."""

from __future__ import annotations

from trickle import Probe
from trickle.catalog.change_sources import AddedFiles, FeedRange


def kind(probe: Probe) -> type[object]:
    """The variant of what happened."""
    return type(probe.happened)


def fed(probe: Probe) -> bool:
    """Whether the changes are read from the change feed."""
    return probe.changes is not None and isinstance(probe.changes.rows, FeedRange)


def paths(probe: Probe) -> tuple[str, ...]:
    """The files the added rows are read from by their paths."""
    rows = probe.changes.rows if probe.changes is not None else None
    return rows.paths if isinstance(rows, AddedFiles) else ()
