"""Whole `dbt run` processes: a first build, a run without changes, and a run after a change (in auto mode)."""

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
from benchmarks.project import write_project
from benchmarks.sources import Sources
from benchmarks.workspace import SCHEMA, Workspace

ROWS = 100_000
MODEL = "aggregate"


def cold_runs(folder: Path, memory: str) -> Mapping[str, Mapping[str, float]]:
    """The figures of three runs. Spark must not run in this process: each run starts its own."""
    home = folder / "cold"
    sources = Sources(ROWS, with_returns=False)
    workspace = Workspace(home, memory)
    try:
        sources.create(workspace)
        sources.change(workspace, 1)
        log = workspace.log(sources.orders.partition(".")[2]).path / "_delta_log"
    finally:
        workspace.close()
    query = next(cell for cell in CELLS if cell.name == MODEL).query(sources)
    project = write_project(home / "project", SCHEMA, home / "warehouse", memory, {MODEL: query})
    hidden_files = _hide_last_commit(log)
    figures = {"first_build": _dbt_run(project), "no_data": _dbt_run(project)}
    for file in hidden_files:
        file.rename(log / file.name)
    figures["after_a_change"] = _dbt_run(project)
    return {name: asdict(spent) for name, spent in figures.items()}


def _hide_last_commit(log: Path) -> list[Path]:
    """Move the last commit out of the log. Moved back, it is a change that needed no Spark."""
    hidden_folder = log.parent.parent / "held_back"
    hidden_folder.mkdir()
    last = max(log.glob("*.json")).stem
    return [file.rename(hidden_folder / file.name) for file in log.glob(f"*{last}.*")]


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
