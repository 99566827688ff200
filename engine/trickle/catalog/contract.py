"""Compares the contracts of two refreshes: the settings and versions that results depend on."""

from __future__ import annotations

from collections.abc import Mapping

from trickle.catalog.frontier import FIRST_ENGINE, Stamp

VERSIONS = frozenset({"spark", "delta"})
"""Entries that are versions: a patch release changes no result."""


def contract_change(state: Stamp, now: Mapping[str, str]) -> str | None:
    """Each entry that differs, with both values; None when the stored rows are valid under the new contract.

    A missing entry means the default. Stamps of the first release have fewer entries.
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
    """The part of a value that can change a result."""
    if value is None or name not in VERSIONS:
        return value
    return ".".join(value.split(".")[:2])
