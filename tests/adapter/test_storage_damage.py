"""Damage to a storage is found from names, sizes and the log; a table without any is found sound."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable
from dbt.adapters.trickle.history.delta_files.thorough import damage_in_files, damage_in_log
from dbt.adapters.trickle.refreshing.damage import damage_behind
from dbt.adapters.trickle.storages.storage_state import read_state
from dbt.adapters.trickle.storages.table_properties import STORAGE_OF
from tests.adapter.log_builder import LogBuilder, metadata
from trickle import Failure


@pytest.fixture
def table(tmp_path: Path) -> LogBuilder:
    built = LogBuilder(tmp_path / "m__trickle")
    built.commit("CREATE TABLE", metadata(**{STORAGE_OF: "s.m__trickle"}))
    built.append("a", 3).append("b", 2)
    built.checksum(files=True)
    return built


def checkpoint(table: LogBuilder, content: bytes) -> None:
    (table.log / f"{1:020d}.checkpoint.parquet").write_bytes(content)
    (table.log / f"{0:020d}.json").unlink()


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda table: (table.log / f"{2:020d}.json").write_text('{"add":'), "00002.json is damaged"),
        (lambda table: (table.log / f"{2:020d}.json").write_bytes(b"\xff\xfe"), "00002.json is damaged"),
        (lambda table: (table.log / f"{1:020d}.json").unlink(), "00001.json is gone"),
        (lambda table: (table.log / f"{0:020d}.json").unlink(), "00000.json is gone"),
        (lambda table: checkpoint(table, b"garbage"), "checkpoint.parquet is damaged"),
    ],
)
def test_a_log_that_delta_cannot_read(table: LogBuilder, harm: Callable[[LogBuilder], None], words: str) -> None:
    """The file is named, and nothing is built upon the table."""
    harm(table)
    state = read_state(DeltaLog(table.path))

    assert state.unreadable
    assert state.distrust is not None
    assert state.distrust.code == "storage_damaged"
    assert re.search(words, state.distrust.message)


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda table: table.vacuum("a"), "/a is gone"),
        (lambda table: (table.path / "b").write_bytes(b"PAR1PAR1"), "8 bytes and not the 200"),
        (lambda table: (table.path / "b").write_bytes(b"\0" * 200), "/b is damaged"),
    ],
)
def test_unreadable_data_files(table: LogBuilder, harm: Callable[[LogBuilder], None], words: str) -> None:
    """The log is intact, so Delta can replace the table; its rows are recomputed."""
    harm(table)
    state = read_state(DeltaLog(table.path))

    assert not state.unreadable
    assert state.distrust is not None
    assert words in state.distrust.message


def test_an_intact_table_is_intact(table: LogBuilder) -> None:
    """With and without a checkpoint before which commits were removed."""
    assert (damage_in_log(DeltaLog(table.path)), damage_in_files(DeltaLog(table.path))) == ("", "")
    checkpoint(table, b"PAR1 whatever PAR1")
    assert damage_in_log(DeltaLog(table.path)) == ""


def test_a_folder_with_an_impossible_name_is_no_table(tmp_path: Path) -> None:
    """A name too long for a file names no table, and does not make others fail."""
    assert not DeltaLog(tmp_path / ("a" * 300)).exists


def test_a_folder_that_may_not_be_read_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without numbers of errors."""

    def refuse(folder: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", folder)

    monkeypatch.setattr(os, "listdir", refuse)
    with pytest.raises(LogUnreadable, match=r"_delta_log cannot be read \(Permission denied\)$"):
        assert DeltaLog(tmp_path).exists


def unreadable(path: str) -> Failure:
    """As Spark says it of a file, inside of what says that a task has failed."""
    file = Failure("FAILED_READ_FILE.NO_HINT", "KD001", "", {"path": f"file:{path}"})
    return Failure("TASK_WRITE_FAILED", "58030", "", {}, (file,))


def test_spark_names_the_file() -> None:
    """Only files of the storage's own folder are its damage, and only those of its log keep Delta from replacing it."""
    found = damage_behind(unreadable("/w/s.db/m__trickle/part-1.parquet"), "m__trickle")

    assert found is not None and not found.of_log
    assert "Spark cannot read /w/s.db/m__trickle/part-1.parquet" in found.reason.message
    log = damage_behind(unreadable("/w/s.db/m__trickle/_delta_log/1.checkpoint.parquet"), "m__trickle")
    assert log is not None and log.of_log
    assert damage_behind(unreadable("/w/s.db/m__trickle/part-1.parquet"), "other__trickle") is None
    assert damage_behind(Failure("DIVIDE_BY_ZERO", "22012", "in /w/s.db/m__trickle/x"), "m__trickle") is None


def test_a_file_that_is_not_there_is_named_as_well() -> None:
    """Files are named to Spark before they are read."""
    missing = Failure("PATH_NOT_FOUND", "42K03", "", {"path": "file:/w/s.db/m__trickle/part-1.parquet"})

    found = damage_behind(missing, "m__trickle")

    assert found is not None and "part-1.parquet" in found.reason.message
    assert damage_behind(missing, "other__trickle") is None
