"""Whose a warehouse folder is: its scratch folder is emptied at every start, and that must be ours."""

from __future__ import annotations

from dbt.adapters.exceptions.connection import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders

TEXT = "This folder is a warehouse of dbt-trickle: it empties `scratch` at every start.\n"


def is_warehouse(layout: WarehouseFolders) -> bool:
    """Whether a run has been here: by the mark, or by the catalog that every run has made."""
    return layout.mark.exists() or (layout.metastore / "service.properties").exists()


def refuse_strangers(layout: WarehouseFolders) -> None:
    """A scratch folder with files that no run can have put there."""
    if is_warehouse(layout) or not layout.scratch.is_dir() or not any(layout.scratch.iterdir()):
        return
    raise FailedToConnectError(
        f"{layout.scratch} has files in it that dbt-trickle did not put there, and would be emptied: choose another "
        "folder with `warehouse` in the profile."
    )


def mark(layout: WarehouseFolders) -> None:
    if not layout.mark.exists():
        layout.mark.write_text(TEXT, encoding="utf-8")
