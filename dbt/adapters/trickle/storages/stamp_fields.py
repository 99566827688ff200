"""The fields of a stamp that describe how a refresh was planned, so that status and history need only the log."""

from __future__ import annotations

from collections.abc import Mapping

from trickle import CompiledView, Options, Probe
from trickle.catalog.happened import NotVersioned

BEGAN = "began"
"""In a stamp: when the refresh started (epoch milliseconds); the commit's own time is when it ended."""

MODE = "mode"
"""In a stamp: `refresh_mode` as configured."""

MAINTAINED = "maintained"
"""In a stamp: whether the query has an incremental form: `incremental` or `recompute`."""

BECAUSE = "because"
"""In a stamp: why the query has no incremental form, code → its sentences."""

UNVERSIONED = "unversioned"
"""In a stamp: sources without versions, of which it is unknown whether they changed since."""


def stamp_fields(view: CompiledView, options: Options, probes: Mapping[str, Probe]) -> dict[str, object]:
    """The fields of one refresh that do not depend on the plan."""
    sentences: dict[str, str] = {}
    for reason in view.reasons:
        sentences[reason.code] = (
            f"{sentences[reason.code]} {reason.sentence()}" if reason.code in sentences else reason.sentence()
        )
    return {
        MODE: options.refresh_mode.value,
        MAINTAINED: view.verdict,
        BECAUSE: sentences,
        UNVERSIONED: sorted(name for name, probe in probes.items() if isinstance(probe.happened, NotVersioned)),
    }
