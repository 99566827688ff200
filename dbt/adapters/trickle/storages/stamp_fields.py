"""What a refresh says of itself in its stamp, so that anybody can tell later from the log alone, without Spark."""

from __future__ import annotations

from collections.abc import Mapping

from trickle import CompiledView, Happened, Options, Probe

BEGAN = "began"
"""In a stamp: when the refresh began (epoch milliseconds); the commit's own time is when it ended."""

MODE = "mode"
"""In a stamp: `refresh_mode` as configured."""

MAINTAINED = "maintained"
"""In a stamp: whether the query has an incremental form: `incremental` or `recompute`."""

BECAUSE = "because"
"""In a stamp: why the query has no incremental form, code → its sentences."""

UNVERSIONED = "unversioned"
"""In a stamp: sources that have no versions, so that nobody can tell whether they have changed since."""


def stamp_fields(view: CompiledView, options: Options, probes: Mapping[str, Probe]) -> dict[str, object]:
    """The marks of one refresh that do not depend on what is decided."""
    because: dict[str, str] = {}
    for one in view.reasons:
        because[one.code] = f"{because[one.code]} {one.sentence()}" if one.code in because else one.sentence()
    return {
        MODE: options.refresh_mode.value,
        MAINTAINED: view.verdict,
        BECAUSE: because,
        UNVERSIONED: sorted(name for name, seen in probes.items() if seen.happened is Happened.NOT_VERSIONED),
    }
