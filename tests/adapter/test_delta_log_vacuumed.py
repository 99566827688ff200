"""Lost files of a change feed are known before Spark reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog, probe
from tests.adapter.log_builder import LogBuilder, remove
from tests.adapter.probed import fed, kind
from trickle import Probe, SourcePosition
from trickle.catalog.happened import Changed, HistoryLost

VECTOR = "^-aqEH.-t@S}K{vb[*k^"
VECTOR_FILE = "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin"


@pytest.fixture
def table(tmp_path: Path) -> LogBuilder:
    return LogBuilder(tmp_path / "t").create().append("f1", rows=10)


def since(table: LogBuilder, before: SourcePosition) -> Probe:
    return probe(DeltaLog(table.path), "s.t", before)


def position(table: LogBuilder) -> SourcePosition:
    return SourcePosition("one", table.version, table.clock)


def change_file(table: LogBuilder, name: str) -> dict[str, Any]:
    (table.path / "_change_data").mkdir(exist_ok=True)
    (table.path / name).write_bytes(b"")
    return {"cdc": {"path": name, "size": 7, "partitionValues": {}, "dataChange": False}}


def test_a_missing_feed_file_is_noticed(table: LogBuilder) -> None:
    """The rows before and after exist, but not the change."""
    before = position(table)
    table.commit("UPDATE", remove("f1", 10), table.add("f2", 10), change_file(table, "_change_data/c%201"))
    (table.path / "_change_data" / "c%201").rename(table.path / "_change_data" / "c 1")
    kept = since(table, before)
    (table.path / "_change_data" / "c 1").unlink()

    gone = since(table, before)

    assert (kind(kept), kept.volume.bytes, kept.volume.files) == (Changed, 7, 1)
    assert (kind(gone), fed(gone)) == (HistoryLost, False)
    assert "_change_data/c%201" in gone.happened.detail


def test_where_there_are_feed_files_the_data_files_between_are_not_needed(table: LogBuilder) -> None:
    """Delta reads the one or the other."""
    before = position(table)
    table.commit("MERGE", remove("f1", 10), table.add("f2", 10), change_file(table, "_change_data/c1"))
    table.commit("MERGE", remove("f2", 10), table.add("f3", 10), change_file(table, "_change_data/c2"))
    table.vacuum("f2")

    assert kind(since(table, before)) is Changed


def test_an_append_that_was_compacted_away_is_in_no_feed(table: LogBuilder) -> None:
    """Its own files are where the feed looks."""
    before = position(table)
    table.append("f2")
    table.commit("OPTIMIZE", remove("f2", data_change=False), table.add("f3", data_change=False))
    table.vacuum("f2")

    assert kind(since(table, before)) is HistoryLost


def test_a_missing_deletion_vector_is_noticed(table: LogBuilder) -> None:
    """The file exists, but not which of its rows are deleted."""
    (table.path / VECTOR_FILE).write_bytes(b"")
    add = table.add("f1", 10, deleted=1)
    add["add"]["deletionVector"]["pathOrInlineDv"] = VECTOR
    table.commit("DELETE", remove("f1", 10), add)
    before = position(table)
    gone = remove("f1", 10)
    gone["remove"]["deletionVector"] = add["add"]["deletionVector"]
    table.commit("DELETE", gone, table.add("f1", 10, deleted=2))
    kept = since(table, before)
    (table.path / VECTOR_FILE).unlink()

    assert kind(kept) is Changed
    assert (kind(since(table, before)), VECTOR_FILE in since(table, before).happened.detail) == (HistoryLost, True)
