"""Whole `dbt run` processes: a first build, a run that finds nothing, and a run after a change (auto decides)."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from benchmarks.cells import CELLS
from benchmarks.meter import Spent
from benchmarks.place import SCHEMA, Place
from benchmarks.project import write_project
from benchmarks.sources import Sources

ROWS = 100_000
MODEL = "aggregate"


def cold_runs(folder: Path, memory: str) -> Mapping[str, Mapping[str, float]]:
    """Spark must not run in this process: each run starts its own."""
    home = folder / "cold"
    sources = Sources(ROWS, with_returns=False)
    place = Place(home, memory)
    try:
        sources.make(place)
        sources.change(place, 1)
        log = place.log(sources.orders.partition(".")[2]).path / "_delta_log"
    finally:
        place.close()
    query = next(cell for cell in CELLS if cell.name == MODEL).query(sources)
    project = write_project(home / "project", SCHEMA, home / "warehouse", memory, {MODEL: query})
    held_back = _hold_back(log)
    found = {"first_build": _dbt_run(project), "no_data": _dbt_run(project)}
    for file in held_back:
        file.rename(log / file.name)
    found["after_a_change"] = _dbt_run(project)
    return {name: asdict(spent) for name, spent in found.items()}


def _hold_back(log: Path) -> list[Path]:
    """Take the last commit out of the log: put back, it is a change, and no Spark had to be started to make it."""
    shelf = log.parent.parent / "held_back"
    shelf.mkdir()
    last = max(log.glob("*.json")).stem
    return [file.rename(shelf / file.name) for file in log.glob(f"*{last}.*")]


def _dbt_run(project: Path) -> Spent:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    command = [
        sys.executable,
        "-m",
        "dbt.cli.main",
        "run",
        "--project-dir",
        str(project),
        "--profiles-dir",
        str(project),
    ]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    wall = time.monotonic() - started
    if done.returncode:
        raise SystemExit(f"dbt run failed:\n{done.stdout}\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
