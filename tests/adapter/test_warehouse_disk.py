"""A full disk is said before Spark stumbles over it in words nobody understands."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from dbt.adapters.exceptions.connection import FailedToConnectError

from dbt.adapters.trickle.embedded.disk import is_full, refuse_too_little


def leave(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))


def test_too_little_space_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says how much is left, how much it takes, and what to change."""
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
