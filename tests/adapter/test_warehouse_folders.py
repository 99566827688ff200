"""The warehouse's folder: made once, kept out of git, and never somebody else's."""

from __future__ import annotations

from pathlib import Path

import pytest
from dbt.adapters.exceptions.connection import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded.folders import empty, make_folders
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders


def test_a_folder_that_we_make_is_kept_out_of_git(tmp_path: Path) -> None:
    """Data, logs and a catalog in a commit are what a newcomer notices last."""
    make_folders(WarehouseFolders(tmp_path / "a" / "warehouse"))

    assert (tmp_path / "a" / "warehouse" / ".gitignore").read_text().splitlines()[-1] == "*"


def test_a_folder_that_was_there_is_left_as_it_is(tmp_path: Path) -> None:
    """Whoever made it decides what git sees, also of what we put up a second time."""
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


def test_only_what_lies_in_scratch_is_removed(tmp_path: Path) -> None:
    """A link is removed, not what it leads to."""
    (tmp_path / "kept").mkdir()
    scratch = tmp_path / "scratch"
    (scratch / "folder" / "deep").mkdir(parents=True)
    (scratch / "file").write_text("")
    (scratch / "link").symlink_to(tmp_path / "kept")

    empty(scratch)

    assert (list(scratch.iterdir()), (tmp_path / "kept").is_dir()) == ([], True)
