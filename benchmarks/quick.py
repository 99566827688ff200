"""`make bench-quick`: full, incremental and auto side by side; a table, then one JSON object, within ten minutes."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.cells import CELLS, Cell
from benchmarks.cold import cold_runs
from benchmarks.idle import no_data
from benchmarks.place import Place, setting
from benchmarks.report import document, table
from benchmarks.rounds import Sample, benches, differences, run_rounds
from benchmarks.sources import Sources

QUICK_SECONDS = 530
"""Nothing is started after this; comparing contents takes the rest of ten minutes."""


def main(arguments: Sequence[str]) -> int:
    asked = _read(arguments)
    deadline = time.monotonic() + asked.seconds
    cells = [cell for cell in CELLS if not asked.cells or cell.name in asked.cells]
    with tempfile.TemporaryDirectory(prefix="trickle-bench-", dir=asked.folder) as folder:
        # First, because a process that starts Spark itself would be no fair neighbour for one that must start it.
        cold = {} if asked.warm_only else cold_runs(Path(folder), asked.memory)
        place = Place(Path(folder), asked.memory, asked.cores, dict(asked.set))
        try:
            samples, extra = _warm(place, cells, asked, deadline)
        finally:
            place.close()
    extra["cold"] = cold
    print(table(samples))
    for name in ("no_data", "cold"):
        print(f"{name}: {json.dumps(extra[name])}")
    if extra["wrong"]:
        print(f"WRONG CONTENTS, do not believe these numbers: {'; '.join(extra['wrong'])}")
    print(json.dumps(document(samples, extra)))
    return 1 if extra["wrong"] else 0


def _warm(
    place: Place, cells: Sequence[Cell], asked: argparse.Namespace, deadline: float
) -> tuple[list[Sample], dict[str, Any]]:
    """Every cell at every size. The small ones are built first and measured last, when Java has compiled all it will.

    Where they end too early to be told from noise, a statement that is the same in two ways seems to cost more in one.
    """
    samples: list[Sample] = []
    with_returns = any(cell.reads_returns for cell in cells)
    *small, big = [
        benches(place, cells, Sources(rows, asked.changed, asked.both_sides, with_returns))
        for rows in sorted(asked.rows)
    ]
    began, seconds = time.monotonic(), deadline - time.monotonic()
    for every in small:
        list(run_rounds(place, every, range(2), 1, began + seconds / 3, _say))
    until = deadline - seconds / 4 if small else deadline
    unmeasured = 0 if small else 1
    samples += run_rounds(place, big, range(1 + unmeasured + asked.rounds), unmeasured, until, _say)
    for every in small:
        samples += run_rounds(place, every, range(2, 2 + asked.rounds), 1, deadline, _say)
    built = [bench for every in (*small, big) for bench in every]
    known = [bench for bench in built if all(way.is_built() for way in bench.ways)]
    wrong = differences(place, known)
    return samples, {"no_data": no_data(place, known), "wrong": wrong}


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 2_000_000], help="rows of the orders")
    parser.add_argument("--changed", type=float, default=0.01, help="share of rows a round changes")
    parser.add_argument("--both-sides", action="store_true", help="change the customers, too (no bare MERGE then)")
    parser.add_argument("--cells", nargs="+", default=[], choices=[cell.name for cell in CELLS])
    parser.add_argument("--rounds", type=int, default=3, help="measured rounds at most")
    parser.add_argument("--seconds", type=float, default=QUICK_SECONDS, help="start nothing after this")
    parser.add_argument("--warm-only", action="store_true", help="leave out the runs of a whole process")
    parser.add_argument("--set", type=setting, nargs="+", default=[], help="Spark settings to try out: key=value")
    parser.add_argument("--memory", default="2g", help="Java's heap")
    parser.add_argument("--cores", type=int, default=None, help="cores for Spark, all by default")
    parser.add_argument("--folder", default=None, help="where the temporary warehouse lies")
    return parser.parse_args(arguments)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
