"""Files that others may read are written as a whole."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from dbt.adapters.trickle.warehouses.atomic_write import write_whole


def test_only_the_file_is_left(tmp_path: Path) -> None:
    """With the last content, in a folder that is created."""
    file = tmp_path / "new" / "folder" / "answers.json"
    write_whole(file, b"one")
    write_whole(file, b"two")

    assert [found.name for found in file.parent.iterdir()] == ["answers.json"]
    assert file.read_bytes() == b"two"


def test_a_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """A folder of this name cannot be replaced by a file."""
    (tmp_path / "taken" / "inside").mkdir(parents=True)
    with pytest.raises(OSError):
        write_whole(tmp_path / "taken", b"one")

    assert [found.name for found in tmp_path.iterdir()] == ["taken"]


def test_others_may_read_it_as_any_file_here(tmp_path: Path) -> None:
    """Whoever may read the warehouse's folder asks it for status."""
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    write_whole(tmp_path / "whole", b"")

    assert stat.S_IMODE((tmp_path / "whole").stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
