"""Creates the warehouse's folders, and clears the scratch folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from dbt.adapters.trickle.warehouses.embedded.disk import written_in
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders

IGNORED_BY_GIT = "# Created by dbt-trickle: data does not belong in git.\n*\n"


def make_folders(layout: WarehouseFolders) -> None:
    """Create the missing folders. A new warehouse gets a .gitignore."""
    with written_in(layout.root):
        new = not layout.root.exists()
        for folder in (layout.root, layout.data, layout.logs, layout.scratch):
            folder.mkdir(parents=True, exist_ok=True)
        if new:
            (layout.root / ".gitignore").write_text(IGNORED_BY_GIT, "utf-8")


def empty(folder: Path) -> None:
    """Delete the files of killed runs. The caller holds the lock, so no other process uses them."""
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
