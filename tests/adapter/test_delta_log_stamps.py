"""The state of a stream table is its last stamped commit."""

from __future__ import annotations

from pathlib import Path

from dbt.adapters.trickle.history.delta_files import DeltaLog, last_stamp, unstamped_change
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from tests.adapter.log_builder import LogBuilder, metadata, remove
from trickle.catalog.frontier import Frontier, SourcePosition, Stamp


def stamp(refresh: int) -> Stamp:
    return Stamp(
        node="model.p.m",
        refresh=refresh,
        action="FULL",
        reason="first",
        strategy="create",
        definition="d1",
        contract={"ansi": "true"},
        frontier=Frontier({"s.t": SourcePosition("one", 3, 5)}),
        data_timestamp=5,
        engine="1",
    )


def test_the_last_stamp_is_found_below_maintenance(tmp_path: Path) -> None:
    """Commits without a stamp are skipped, and the stamp reads back as it was written."""
    table = LogBuilder(tmp_path).create()
    table.commit("WRITE", table.add("f1"), userMetadata=stamp(1).to_json())
    table.commit("MERGE", table.add("f2"), userMetadata=stamp(2).to_json())
    table.commit("OPTIMIZE", remove("f1", data_change=False), table.add("f3", data_change=False))
    table.commit("SET TBLPROPERTIES", metadata(owner="me"), userMetadata="somebody else's words")

    found = last_stamp(DeltaLog(tmp_path))

    assert found is not None
    assert (stamp(2), 2) == (found.stamp, found.commit.version)
    assert unstamped_change(DeltaLog(tmp_path), found) is None


def test_foreign_rows_after_the_stamp_are_seen(tmp_path: Path) -> None:
    """A commit that is not ours and changes rows means the stamp no longer describes the table."""
    table = LogBuilder(tmp_path).create()
    table.commit("WRITE", table.add("f1"), userMetadata=stamp(1).to_json())
    table.commit("DELETE", remove("f1"))

    found = last_stamp(DeltaLog(tmp_path))

    assert found is not None
    change = unstamped_change(DeltaLog(tmp_path), found)
    assert change is not None
    assert change.version == 2


def test_no_table_has_no_stamp(tmp_path: Path) -> None:
    """Nothing there is no state, not an error."""
    assert last_stamp(DeltaLog(tmp_path)) is None


def test_a_definition_is_found_without_checksums(tmp_path: Path) -> None:
    """The nearest earlier metaData action counts if there is no checksum file."""
    table = LogBuilder(tmp_path).create().append("f1").append("f2")

    assert tuple(column.name for column in metadata_at(DeltaLog(tmp_path), table.version).columns) == (
        "a",
        "b",
    )
