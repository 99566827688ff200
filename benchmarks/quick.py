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
from benchmarks.report import document, table
from benchmarks.rounds import Sample, benches, differences, run_rounds
from benchmarks.sources import Sources
from benchmarks.workspace import Workspace, setting

QUICK_SECONDS = 530
"""Nothing is started after this; comparing contents takes the rest of the ten minutes."""


def main(arguments: Sequence[str]) -> int:
    options = _read(arguments)
    deadline = time.monotonic() + options.seconds
    cells = [cell for cell in CELLS if not options.cells or cell.name in options.cells]
    with tempfile.TemporaryDirectory(prefix="trickle-bench-", dir=options.folder) as folder:
        # First, because a running Spark would slow down processes that start their own.
        cold = {} if options.warm_only else cold_runs(Path(folder), options.memory)
        workspace = Workspace(Path(folder), options.memory, options.cores, dict(options.set))
        try:
            samples, extra = _warm(workspace, cells, options, deadline)
        finally:
            workspace.close()
    extra["cold"] = cold
    print(table(samples))
    for name in ("no_data", "cold"):
        print(f"{name}: {json.dumps(extra[name])}")
    if extra["wrong"]:
        print(f"WRONG CONTENTS, do not believe these numbers: {'; '.join(extra['wrong'])}")
    print(json.dumps(document(samples, extra)))
    return 1 if extra["wrong"] else 0


def _warm(
    workspace: Workspace, cells: Sequence[Cell], options: argparse.Namespace, deadline: float
) -> tuple[list[Sample], dict[str, Any]]:
    """Every cell at every size. The small sizes are built first and measured last, when Java has compiled its code.

    Their times are small, and would differ between identical statements while Java still compiles.
    """
    samples: list[Sample] = []
    with_returns = any(cell.reads_returns for cell in cells)
    *small, big = [
        benches(workspace, cells, Sources(rows, options.changed, options.both_sides, with_returns))
        for rows in sorted(options.rows)
    ]
    began, seconds = time.monotonic(), deadline - time.monotonic()
    for group in small:
        list(run_rounds(workspace, group, range(2), 1, began + seconds / 3, _report_progress))
    until = deadline - seconds / 4 if small else deadline
    unmeasured = 0 if small else 1
    samples += run_rounds(workspace, big, range(1 + unmeasured + options.rounds), unmeasured, until, _report_progress)
    for group in small:
        samples += run_rounds(workspace, group, range(2, 2 + options.rounds), 1, deadline, _report_progress)
    built = [bench for group in (*small, big) for bench in group]
    known = [bench for bench in built if all(approach.is_built() for approach in bench.approaches)]
    wrong = differences(workspace, known)
    return samples, {"no_data": no_data(workspace, known), "wrong": wrong}


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 2_000_000], help="rows of the orders")
    parser.add_argument("--changed", type=float, default=0.01, help="share of rows that a round changes")
    parser.add_argument("--both-sides", action="store_true", help="change the customers, too (no bare MERGE then)")
    parser.add_argument("--cells", nargs="+", default=[], choices=[cell.name for cell in CELLS])
    parser.add_argument("--rounds", type=int, default=3, help="measured rounds at most")
    parser.add_argument("--seconds", type=float, default=QUICK_SECONDS, help="start nothing after this")
    parser.add_argument("--warm-only", action="store_true", help="skip the runs of whole processes")
    parser.add_argument("--set", type=setting, nargs="+", default=[], help="Spark settings to try out: key=value")
    parser.add_argument("--memory", default="2g", help="Java's heap")
    parser.add_argument("--cores", type=int, default=None, help="cores for Spark, all by default")
    parser.add_argument("--folder", default=None, help="the parent of the temporary warehouse")
    return parser.parse_args(arguments)


def _report_progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
