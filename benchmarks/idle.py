"""A refresh without changes: decided on the logs, in a process that is already running."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from benchmarks.meter import Meter
from benchmarks.ratios import medians
from benchmarks.rounds import Bench
from benchmarks.workspace import Workspace
from trickle import Action


def no_data(workspace: Workspace, every: Sequence[Bench]) -> dict[str, Any]:
    """The median over the smallest stream tables. They are refreshed first; the measured refresh must be NO_DATA."""
    meter = Meter(workspace.java)
    smallest = min((bench.sources.rows for bench in every), default=0)
    tables = [
        approach
        for bench in every
        for approach in bench.approaches
        if approach.name == "auto" and bench.sources.rows == smallest
    ]
    spent = []
    for table in tables:
        table.refresh()
        with meter.measure() as reading:
            outcome = table.refresh()
        if outcome.action != Action.NO_DATA.value:
            raise SystemExit(f"a table was refreshed by {outcome.action} although nothing had changed")
        spent.append(reading.spent)
    return {"tables": len(spent), **asdict(medians(spent))} if spent else {}
