"""Functions of the catalog, from Spark's DESCRIBE FUNCTION EXTENDED."""

from __future__ import annotations

import re
from collections.abc import Sequence

import xxhash

from dbt.adapters.trickle.catalog.view_settings import SettingsHere, disagreement
from dbt.adapters.trickle.ports import Row
from dbt.adapters.trickle.warehouses.embedded.irrelevant_settings import is_relevant
from trickle import Name, Routine

_LABEL = re.compile(r"([A-Z][A-Za-z]*(?: [A-Z][A-Za-z]*)*):\s*(.*)", re.DOTALL)
_NO_DEFINITION = ("Comment", "Configs", "Create Time", "Owner")
"""What may change without the function answering otherwise; which of its settings count is asked for."""


def routine_of(name: Name, rows: Sequence[Row], here: SettingsHere) -> Routine | None:
    """A function from Spark's description of it; None for a built-in function."""
    described = _labelled(rows)
    if "Body" not in described:
        if "." not in described.get("Function", ""):
            return None
        return Routine(name, unknown="it is no SQL function, and what it does inside is not known")
    settings = dict(line.split("=", 1) for line in described.get("Configs", "").splitlines() if "=" in line)
    parts = [f"{label} {words}" for label, words in sorted(described.items()) if label not in _NO_DEFINITION]
    parts += [f"{key} {value}" for key, value in sorted(settings.items()) if is_relevant(key)]
    return Routine(
        name,
        tuple(line.split()[0].strip("`").lower() for line in described.get("Input", "").splitlines() if line.split()),
        described["Body"],
        xxhash.xxh3_128("\0".join(parts).encode()).hexdigest(),
        _why_unknown(described) or disagreement(settings, here),
    )


def _why_unknown(described: dict[str, str]) -> str:
    if described.get("Type") != "SCALAR":
        return "it makes a table"
    if described.get("Deterministic") != "true":
        return "it is not deterministic"
    return "" if described.get("Data Access") == "CONTAINS SQL" else "it reads tables"


def _labelled(rows: Sequence[Row]) -> dict[str, str]:
    """Label → text; its further lines are indented."""
    described: dict[str, str] = {}
    label = ""
    for row in rows:
        line = str(row[0])
        matched = _LABEL.fullmatch(line)
        if matched is not None and not line.startswith(" "):
            label = matched.group(1)
            described[label] = matched.group(2)
        elif label:
            described[label] = f"{described[label]}\n{line.strip()}"
    return described
