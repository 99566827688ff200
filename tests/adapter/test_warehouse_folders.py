"""The warehouse's folder: created once, ignored by git, and never a folder with foreign files."""

from __future__ import annotations

from pathlib import Path

import pytest
from dbt.adapters.exceptions.connection import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded.folders import empty, make_folders
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders


def test_a_folder_that_we_create_is_ignored_by_git(tmp_path: Path) -> None:
    """Data, logs and the catalog should not be committed."""
    make_folders(WarehouseFolders(tmp_path / "a" / "warehouse"))

    assert (tmp_path / "a" / "warehouse" / ".gitignore").read_text().splitlines()[-1] == "*"


def test_an_existing_folder_gets_no_gitignore(tmp_path: Path) -> None:
    """Its owner decides what git ignores."""
    make_folders(WarehouseFolders(tmp_path))
    make_folders(WarehouseFolders(tmp_path / "warehouse"))
    (tmp_path / "warehouse" / ".gitignore").unlink()
    make_folders(WarehouseFolders(tmp_path / "warehouse"))

    assert not (tmp_path / ".gitignore").exists()
    assert not (tmp_path / "warehouse" / ".gitignore").exists()


def test_a_file_in_the_folders_place_is_one_sentence(tmp_path: Path) -> None:
    """The folder is named, and the key that names it."""
    (tmp_path / "warehouse").write_text("")

    with pytest.raises(FailedToConnectError, match="choose another folder with `warehouse` in the profile") as refused:
        make_folders(WarehouseFolders(tmp_path / "warehouse"))

    assert "Errno" not in str(refused.value)


def test_only_content_of_scratch_is_removed(tmp_path: Path) -> None:
    """A link is removed, not its target."""
    (tmp_path / "kept").mkdir()
    scratch = tmp_path / "scratch"
    (scratch / "folder" / "deep").mkdir(parents=True)
    (scratch / "file").write_text("")
    (scratch / "link").symlink_to(tmp_path / "kept")

    empty(scratch)

    assert (list(scratch.iterdir()), (tmp_path / "kept").is_dir()) == ([], True)
