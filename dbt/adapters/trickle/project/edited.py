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
"""Settings of dbt_project.yml that name folders, and their defaults."""


def edited_since(root: Path, settings: Mapping[str, Any], manifest: Path) -> bool:
    """Whether there is no manifest, or a file of the project is newer."""
    try:
        written = manifest.stat().st_mtime
    except FileNotFoundError:
        return True
    return any(file.stat().st_mtime > written for file in _files(root, settings))


def _files(root: Path, settings: Mapping[str, Any]) -> Iterator[Path]:
    yield root / "dbt_project.yml"
    for setting, default in PATHS.items():
        for folder in settings.get(setting) or default:
            # Folders too: removing a file changes the time of its folder.
            yield from (file for file in (root / str(folder)).rglob("*") if file.exists())
