"""Whether a project was edited since dbt wrote its manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

PATHS = {
    "model-paths": ("models",),
    "seed-paths": ("seeds",),
    "snapshot-paths": ("snapshots",),
    "macro-paths": ("macros",),
    "analysis-paths": (),
}
"""Settings of dbt_project.yml that name folders, and what they name by default."""


def edited_since(root: Path, settings: Mapping[str, Any], manifest: Path) -> bool:
    """Whether there is no manifest, or a file it was made from is newer."""
    try:
        written = manifest.stat().st_mtime
    except FileNotFoundError:
        return True
    return any(file.stat().st_mtime > written for file in _files(root, settings))


def _files(root: Path, settings: Mapping[str, Any]) -> Iterator[Path]:
    yield root / "dbt_project.yml"
    for setting, usual in PATHS.items():
        for folder in settings.get(setting) or usual:
            # Folders too: a file that was removed leaves its mark on the one it was in.
            yield from (file for file in (root / str(folder)).rglob("*") if file.exists())
