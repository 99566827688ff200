"""Whether a folder is a warehouse of ours: its scratch folder is emptied at every start."""

from __future__ import annotations

from dbt.adapters.exceptions.connection import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders

MARK_TEXT = "This folder is a warehouse of dbt-trickle: it empties `scratch` at every start.\n"


def is_warehouse(layout: WarehouseFolders) -> bool:
    """Whether a run used the folder: it has the mark file, or the catalog that every run creates."""
    return layout.mark.exists() or (layout.metastore / "service.properties").exists()


def refuse_foreign_files(layout: WarehouseFolders) -> None:
    """Refuse a folder whose scratch folder has files that no run created."""
    if is_warehouse(layout) or not layout.scratch.is_dir() or not any(layout.scratch.iterdir()):
        return
    raise FailedToConnectError(
        f"{layout.scratch} has files in it that dbt-trickle did not create, and would be emptied: choose another "
        "folder with `warehouse` in the profile."
    )


def mark(layout: WarehouseFolders) -> None:
    if not layout.mark.exists():
        layout.mark.write_text(MARK_TEXT, encoding="utf-8")
