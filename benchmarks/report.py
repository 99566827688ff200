"""Samples as a table for people and as one JSON object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from benchmarks.approaches import NAMES
from benchmarks.machine import describe
from benchmarks.meter import Spent
from benchmarks.ratios import clearly_better, medians, never_worse, ratio
from benchmarks.rounds import Sample

Cells = Mapping[tuple[str, int], Mapping[str, Sequence[Sample]]]
BIG_AGGREGATE = "aggregate"


def by_cell(samples: Sequence[Sample]) -> Cells:
    """(cell, rows) → approach → its samples, in the order of measurement."""
    cells: dict[tuple[str, int], dict[str, list[Sample]]] = {}
    for sample in samples:
        cells.setdefault((sample.cell, sample.rows), {}).setdefault(sample.approach, []).append(sample)
    return cells


def table(samples: Sequence[Sample]) -> str:
    """One line per cell: wall and CPU medians of every approach, the strategies of auto, and its ratio to FULL."""
    head = f"{'cell':<16}{'rows':>9}" + "".join(f"{name:>16}" for name in NAMES)
    lines = [f"{head}   auto/full   auto took", f"{'':<25}" + f"{'wall / cpu s':>16}" * len(NAMES)]
    for (cell, rows), approaches in by_cell(samples).items():
        spent = _spent(approaches)
        columns = "".join(f"{_pair(spent.get(name)):>16}" for name in NAMES)
        compared = ratio(spent["auto"], spent["full"])
        remark = "" if never_worse(spent) else " <- worse"
        taken = _taken(approaches["auto"])
        lines.append(f"{cell:<16}{rows:>9}{columns}   {compared.wall:4.2f} {compared.cpu:4.2f}   {taken}{remark}")
    return "\n".join(lines)


def document(samples: Sequence[Sample], extra: Mapping[str, Any]) -> dict[str, Any]:
    """Everything measured, with the verdicts."""
    cells = []
    worse: list[str] = []
    for (cell, rows), approaches in by_cell(samples).items():
        spent = _spent(approaches)
        if not never_worse(spent):
            worse.append(f"{cell} × {rows}")
        cells.append({"cell": cell, "rows": rows, "ways": {name: _approach(approaches[name]) for name in approaches}})
    return {
        "kind": "quick",
        "machine": describe(),
        "cells": cells,
        "verdicts": {"auto_worse_than_full": worse, "big_aggregate_twice_as_fast": _big_aggregate(samples)},
        **extra,
    }


def _big_aggregate(samples: Sequence[Sample]) -> bool | None:
    """None if it was not measured."""
    sizes = [rows for cell, rows in by_cell(samples) if cell == BIG_AGGREGATE]
    return clearly_better(_spent(by_cell(samples)[BIG_AGGREGATE, max(sizes)])) if sizes else None


def _spent(approaches: Mapping[str, Sequence[Sample]]) -> dict[str, Spent]:
    return {name: medians([sample.spent for sample in samples]) for name, samples in approaches.items()}


def _approach(samples: Sequence[Sample]) -> dict[str, Any]:
    last = samples[-1].outcome
    return {
        "median": asdict(medians([sample.spent for sample in samples])),
        "rounds": [asdict(sample.spent) for sample in samples],
        "planning_wall": round(sum(sample.outcome.planning for sample in samples) / len(samples), 3),
        "action": last.action,
        "strategy": _taken(samples),
        "prices": last.prices,
    }


def _taken(samples: Sequence[Sample]) -> str:
    """The strategies used, the most frequent first."""
    counted = Counter(sample.outcome.strategy for sample in samples if sample.outcome.strategy)
    return ", ".join(name for name, _ in counted.most_common())


def _pair(spent: Spent | None) -> str:
    return "-" if spent is None else f"{spent.wall:.2f} / {spent.cpu:.2f}"
