"""Making the warehouse's folders, and clearing the one that lasts no longer than a run."""

from __future__ import annotations

import shutil
from pathlib import Path

from dbt.adapters.trickle.warehouses.embedded.disk import written_in
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders

IGNORED_BY_GIT = "# Made by dbt-trickle: data is no source text.\n*\n"


def make_folders(layout: WarehouseFolders) -> None:
    """Whatever of the warehouse is not there yet. A folder that we make is kept out of git."""
    with written_in(layout.root):
        new = not layout.root.exists()
        for folder in (layout.root, layout.data, layout.logs, layout.scratch):
            folder.mkdir(parents=True, exist_ok=True)
        if new:
            (layout.root / ".gitignore").write_text(IGNORED_BY_GIT, "utf-8")


def empty(folder: Path) -> None:
    """What killed runs left behind; we hold the lock, so nobody needs it."""
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
