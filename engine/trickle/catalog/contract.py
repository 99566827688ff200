"""The contract of two refreshes compared: what results depend on besides the query and its sources."""

from __future__ import annotations

from collections.abc import Mapping

from trickle.catalog.frontier import FIRST_ENGINE, Stamp

VERSIONS = frozenset({"spark", "delta"})
"""Parts that are versions: a patch release changes no result."""


def contract_change(state: Stamp, now: Mapping[str, str]) -> str | None:
    """Each part that is another now, with both values; None when rows of one contract stand under the other.

    What a contract does not name is as it is by default. Stamps of the first release name fewer parts than there are.
    """
    before = state.contract
    absent = "not recorded" if state.engine == FIRST_ENGINE else "default"
    changed = [
        f"{name} ({before.get(name, absent)} → {now.get(name, 'default')})"
        for name in sorted({*before, *now})
        if _essence(name, before.get(name)) != _essence(name, now.get(name))
    ]
    return ", ".join(changed) or None


def _essence(name: str, value: str | None) -> str | None:
    """As much of a value as can change a result."""
    if value is None or name not in VERSIONS:
        return value
    return ".".join(value.split(".")[:2])
