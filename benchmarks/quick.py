"""`make bench-quick`: full, incremental and auto side by side; a table, then one JSON object, within ten minutes."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.cells import CELLS
from benchmarks.cold import cold_runs
from benchmarks.idle import no_data
from benchmarks.place import Place
from benchmarks.report import document, table
from benchmarks.rounds import benches, differences, run_rounds
from benchmarks.sources import Sources

QUICK_SECONDS = 400
"""Left of ten minutes once sources are made, targets built, contents compared and cold runs done."""


def main(arguments: Sequence[str]) -> int:
    asked = _read(arguments)
    cells = [cell for cell in CELLS if not asked.cells or cell.name in asked.cells]
    with_returns = any(cell.reads_returns for cell in cells)
    every_source = [Sources(rows, asked.changed, asked.both_sides, with_returns) for rows in asked.rows]
    with tempfile.TemporaryDirectory(prefix="trickle-bench-", dir=asked.folder) as folder:
        place = Place(Path(folder), asked.memory, asked.cores)
        try:
            every = benches(place, cells, every_source)
            samples = list(run_rounds(place, every, asked.rounds, asked.seconds, _say))
            extra: dict[str, Any] = {"no_data": no_data(place, every), "wrong": differences(place, every)}
        finally:
            place.close()
        if not asked.warm_only:
            extra["cold"] = cold_runs(Path(folder), asked.memory)
    print(table(samples))
    for name in ("no_data", "cold"):
        print(f"{name}: {json.dumps(extra.get(name))}")
    if extra["wrong"]:
        print(f"WRONG CONTENTS, do not believe these numbers: {'; '.join(extra['wrong'])}")
    print(json.dumps(document(samples, extra)))
    return 1 if extra["wrong"] else 0


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 2_000_000], help="rows of the orders")
    parser.add_argument("--changed", type=float, default=0.01, help="share of rows a round changes")
    parser.add_argument("--both-sides", action="store_true", help="change the customers, too (no bare MERGE then)")
    parser.add_argument("--cells", nargs="+", default=[], choices=[cell.name for cell in CELLS])
    parser.add_argument("--rounds", type=int, default=3, help="measured rounds at most")
    parser.add_argument("--seconds", type=float, default=QUICK_SECONDS, help="start no round that ends after this")
    parser.add_argument("--warm-only", action="store_true", help="leave out the runs of a whole process")
    parser.add_argument("--memory", default="2g", help="Java's heap")
    parser.add_argument("--cores", type=int, default=None, help="cores for Spark, all by default")
    parser.add_argument("--folder", default=None, help="where the temporary warehouse lies")
    return parser.parse_args(arguments)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
