"""A refresh that finds nothing to do: decided on the logs, in a process that is already running."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from benchmarks.meter import Meter
from benchmarks.place import Place
from benchmarks.ratios import medians
from benchmarks.rounds import Bench
from trickle import Action


def no_data(place: Place, every: Sequence[Bench]) -> dict[str, Any]:
    """The median over all stream tables; every one must answer NO_DATA."""
    meter = Meter(place.java)
    spent = []
    for bench in every:
        for way in bench.ways:
            if way.name != "auto":
                continue
            with meter.measure() as reading:
                outcome = way.refresh()
            if outcome.action != Action.NO_DATA.value:
                raise SystemExit(f"{bench.cell.name} refreshed by {outcome.action} although nothing had changed")
            spent.append(reading.spent)
    return {"tables": len(spent), **asdict(medians(spent))} if spent else {}
