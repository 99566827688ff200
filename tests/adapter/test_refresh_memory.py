"""The record of the last refresh, in the log and in the file of the last check."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog, last_stamp
from dbt.adapters.trickle.ports import QuietRefresh
from dbt.adapters.trickle.scheduling.memory import (
    RefreshMemory,
    checksum,
    consecutive_errors,
    failure_properties,
    read_memory,
)
from tests.adapter.house import House
from tests.adapter.log_builder import metadata

TICK = 5_000_000


@pytest.fixture
def built(tmp_path: Path) -> House:
    house = House(tmp_path)
    house.build(house.decide())
    return house


def log_of(house: House) -> DeltaLog:
    return DeltaLog(house.storage.path)


def set_properties(house: House, **properties: str) -> None:
    fields = (("a", "integer"), ("b", "string"), ("__trickle_count", "long"))
    house.storage.commit("SET TBLPROPERTIES", metadata(fields=fields, table_id="m", **properties))


def test_a_table_that_was_never_built_has_an_empty_record(tmp_path: Path) -> None:
    """Without a log the record is empty."""
    assert read_memory(DeltaLog(tmp_path / "nothing"), None) == RefreshMemory()


def test_a_refresh_stamps_when_its_run_started(built: House) -> None:
    """The tick is the start of the run, not the time of the commit."""
    assert read_memory(log_of(built), None).tick == TICK


def test_a_check_counts_as_a_refresh(built: House) -> None:
    """The newer of refresh and check counts; a check of another table of the same name is ignored."""
    log = log_of(built)

    assert read_memory(log, QuietRefresh("m", TICK + 1, "abc")).tick == TICK + 1
    assert read_memory(log, QuietRefresh("m", TICK + 1, "abc")).file == "abc"
    assert read_memory(log, QuietRefresh("m", TICK + 1, "abc")).written == TICK
    assert read_memory(log, QuietRefresh("m", TICK - 1, "abc")).tick == TICK
    assert read_memory(log, QuietRefresh("another", TICK + 1, "abc")).tick == TICK


def test_errors_count_until_the_next_refresh_that_writes(built: House) -> None:
    """A later stamp resets the count, so that a success needs no commit of its own."""
    stamped = last_stamp(log_of(built))
    set_properties(built, **failure_properties(2, stamped, suspended=False))
    failed = read_memory(log_of(built), None).errors
    built.source.append("f2")
    built.build(built.decide())

    assert failed == 2
    assert read_memory(log_of(built), None).errors == 0


def test_no_errors_without_a_count() -> None:
    """A missing or unreadable count is 0."""
    assert consecutive_errors({}, None) == 0
    assert consecutive_errors({"trickle.consecutive_errors": "many", "trickle.failed_after": "0"}, None) == 0


def test_the_status_agrees_with_the_count() -> None:
    """`trickle.status` agrees with the count of failures."""
    statuses = [failure_properties(errors, None, suspended)["trickle.status"] for errors, suspended in
            ((0, False), (1, False), (3, True))]  # fmt: skip

    assert statuses == ["active", "failed", "suspended"]


def test_a_model_without_a_file_has_no_checksum() -> None:
    """The checksum is that of the manifest, '' without one."""
    assert checksum({}) == ""
    assert checksum({"checksum": {"name": "sha256", "checksum": "abc"}}) == "abc"
