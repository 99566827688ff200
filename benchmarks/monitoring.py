"""The time of the monitoring commands: fabricated logs, one process per command, no warm-up.

python benchmarks/monitoring.py [--tables 50] [--commits 3] [--rounds 5]
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.adapter.fabricated import random_project

SCRIPT = "import sys; from dbt.adapters.trickle.cli import main; sys.exit(main())"


@dataclass(frozen=True)
class Spent:
    """One command's wall clock and CPU, in seconds."""

    wall: float
    cpu: float


def spent(words: tuple[str, ...], folder: Path) -> Spent:
    """Run a command and discard its output."""
    place = ("--project-dir", str(folder), "--profiles-dir", str(folder))
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-c", SCRIPT, *words, *place], check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50, help="stream tables (default: %(default)s)")
    parser.add_argument("--commits", type=int, default=3, help="refreshes of each (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each command (default: %(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = random_project(folder, given.tables, given.commits)
        model = next(node["name"] for node in project.nodes.values() if node["config"].get("schedule"))
        page = str(folder / "page.html")
        commands = (
            ("status",),
            ("status", "--format", "json"),
            ("history", model),
            ("graph",),
            ("graph", "--html", page),
        )
        print(
            f"{given.tables} stream tables, {given.commits} refreshes each; median of {given.rounds} runs, in seconds"
        )
        print(f"{'':32}  wall   CPU")
        for words in commands:
            runs = [spent(words, folder) for _ in range(given.rounds)]
            wall, cpu = (statistics.median(getattr(run, name) for run in runs) for name in ("wall", "cpu"))
            shown = " ".join(Path(word).name if word == page else word for word in words)
            print(f"dbt-trickle {shown:25}  {wall:4.2f}  {cpu:4.2f}")


if __name__ == "__main__":
    main()
