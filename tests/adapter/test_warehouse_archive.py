"""The class-data archive: one for each Java and class path, and easy to switch off."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dbt.adapters.trickle.warehouses.embedded.archive import archive_path, enabled
from dbt.adapters.trickle.warehouses.embedded.java import Java


def jar(tmp_path: Path) -> Path:
    file = tmp_path / "delta.jar"
    file.write_bytes(b"one")
    return file


def test_the_same_java_and_jars_share_an_archive(tmp_path: Path) -> None:
    """Otherwise it would be made again and again."""
    java, file = Java(Path("/j"), "17.0.1"), jar(tmp_path)

    assert archive_path(tmp_path, java, [file]) == archive_path(tmp_path, java, [file])


def test_another_java_needs_another_archive(tmp_path: Path) -> None:
    """An archive has one Java's own classes."""
    file = jar(tmp_path)

    old = archive_path(tmp_path, Java(Path("/j"), "17.0.1"), [file])

    assert old != archive_path(tmp_path, Java(Path("/j"), "17.0.2"), [file])


def test_a_changed_jar_needs_another_archive(tmp_path: Path) -> None:
    """Java would refuse the old one, and we would never make a new one."""
    java, file = Java(Path("/j"), "17.0.1"), jar(tmp_path)
    before = archive_path(tmp_path, java, [file])

    os.utime(file, ns=(1, 1))

    assert before != archive_path(tmp_path, java, [file])


@pytest.mark.parametrize(("value", "on"), [("off", False), ("OFF", False), ("0", False), ("on", True)])
def test_the_archive_can_be_switched_off(value: str, on: bool) -> None:
    """A small disk or a read-only image has no use for 200 MB."""
    assert enabled({"DBT_TRICKLE_ARCHIVE": value}) is on


def test_the_archive_is_on_by_default() -> None:
    """It halves every start."""
    assert enabled({})
