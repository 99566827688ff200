"""A full disk is reported before Spark fails with an unclear message."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from dbt.adapters.exceptions.connection import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded.disk import is_full, refuse_too_little, written_in
from dbt.adapters.trickle.warehouses.embedded.owner import is_warehouse, mark, refuse_foreign_files
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders


def leave(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))


def test_too_little_space_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message has the free space, the needed space, and what to change."""
    leave(monkeypatch, 5 * 1024**2)

    with pytest.raises(FailedToConnectError, match=f"{tmp_path} has only 5 MB left .*`warehouse` in the profile"):
        refuse_too_little(tmp_path)
    assert not is_full(tmp_path)


def test_enough_space_is_no_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark starts without a word."""
    leave(monkeypatch, 1024**3)

    refuse_too_little(tmp_path)


def test_a_disk_without_space_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever Spark reports then has this cause."""
    leave(monkeypatch, 4096)

    assert is_full(tmp_path)


def test_an_unwritable_folder_is_one_sentence(tmp_path: Path) -> None:
    """The folder, the cause, and what to do; no error number."""
    for number in (errno.EROFS, errno.EACCES):
        with pytest.raises(FailedToConnectError) as refused, written_in(tmp_path):
            raise OSError(number, os.strerror(number), str(tmp_path / "lock"))
        assert f"{tmp_path} cannot be written to ({os.strerror(number)}: {tmp_path}/lock)" in refused.value.msg
        assert "Errno" not in refused.value.msg
    with pytest.raises(FailedToConnectError, match="is full"), written_in(tmp_path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_scratch_folder_of_others_is_not_emptied(tmp_path: Path) -> None:
    """Only where a run has been before; an empty one, and one of an earlier release, are taken."""
    layout = WarehouseFolders(tmp_path)
    refuse_foreign_files(layout)
    layout.scratch.mkdir()
    refuse_foreign_files(layout)
    (layout.scratch / "thesis.txt").write_text("mine")
    with pytest.raises(FailedToConnectError, match="scratch has files in it that dbt-trickle did not create"):
        refuse_foreign_files(layout)
    layout.metastore.mkdir()
    (layout.metastore / "service.properties").touch()
    refuse_foreign_files(layout)
    mark(layout)
    assert is_warehouse(layout)
