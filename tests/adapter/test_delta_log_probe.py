"""The probe's result for every kind of history."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog, probe
from tests.adapter.log_builder import LogBuilder, metadata, remove
from tests.adapter.probed import fed, kind, paths
from trickle import Probe
from trickle.catalog.frontier import SourcePosition
from trickle.catalog.happened import (
    Altered,
    Appended,
    Changed,
    FeedMissing,
    First,
    HistoryLost,
    MaintenanceOnly,
    NotVersioned,
    Overwritten,
    Recreated,
    Unchanged,
)


@pytest.fixture
def table(tmp_path: Path) -> LogBuilder:
    return LogBuilder(tmp_path / "t").create().append("f1", rows=10)


def position(table: LogBuilder, table_id: str = "one") -> SourcePosition:
    return SourcePosition(table_id, table.version, table.clock)


def since(table: LogBuilder, before: SourcePosition | None) -> Probe:
    return probe(DeltaLog(table.path), "s.t", before)


def test_nothing(table: LogBuilder) -> None:
    """The same version with the same commit time means that nothing happened."""
    answer = since(table, position(table))

    assert kind(answer) is Unchanged
    assert position(table) == answer.now


def test_a_first_read(table: LogBuilder) -> None:
    """Without a previous position the probe has version and size."""
    answer = since(table, None)

    assert (answer.now.version, answer.size.rows, answer.size.files) == (1, 10, 1)
    assert kind(answer) is First


def test_appends_need_no_feed(tmp_path: Path) -> None:
    """A range of pure appends is APPENDED whether or not the change feed was on."""
    table = LogBuilder(tmp_path / "t").create(feed=False).append("f1")
    before = position(table)
    table.append("f2", rows=3).append("f3", rows=4)

    answer = since(table, before)

    assert (
        kind(answer),
        answer.volume.added,
        answer.volume.removed,
        fed(answer),
    ) == (Appended, 7, 0, False)


def test_an_append_marked_not_blind_is_still_an_append(table: LogBuilder) -> None:
    """Delta calls an INSERT that reads its own table not blind; only the actions count."""
    before = position(table)
    table.commit("WRITE", table.add("f2"), isBlindAppend=False)

    assert kind(since(table, before)) is Appended


def test_maintenance_changes_no_rows(table: LogBuilder) -> None:
    """OPTIMIZE and property changes are MAINTENANCE even when files were rewritten and vacuumed."""
    before = position(table)
    table.commit("OPTIMIZE", remove("f1", data_change=False), table.add("f2", 10, data_change=False))
    table.commit("SET TBLPROPERTIES", metadata(owner="me"))
    table.commit("CHANGE COLUMN", metadata(comment="words"))
    table.vacuum("f1")

    assert kind(since(table, before)) is MaintenanceOnly


def test_a_deletion_vector_is_a_change(table: LogBuilder) -> None:
    """A delete that only marks rows shows as remove and add of one file: one row went, none came."""
    before = position(table)
    table.commit("DELETE", remove("f1", 10), table.add("f1", 10, deleted=1))

    answer = since(table, before)

    assert (
        kind(answer),
        answer.volume.added,
        answer.volume.removed,
        fed(answer),
    ) == (Changed, 0, 1, True)


def test_an_overwrite_with_feed_is_a_change(table: LogBuilder) -> None:
    """INSERT OVERWRITE keeps the table: its feed is read like any other change."""
    before = position(table)
    table.commit("WRITE", remove("f1", None), table.add("f2", 5))

    assert (kind(since(table, before)), fed(since(table, before))) == (Changed, True)


def test_a_change_without_feed_is_named(tmp_path: Path) -> None:
    """The result names the version without a feed."""
    table = LogBuilder(tmp_path / "t").create(feed=False).append("f1")
    before = position(table)
    table.commit("DELETE", remove("f1"))

    answer = since(table, before)

    assert (kind(answer), answer.happened.detail) == (FeedMissing, "its change feed was off at version 2")


def test_a_feed_switched_off_in_the_middle_is_missed(table: LogBuilder) -> None:
    """On at both ends is not enough: the feed must have been on over the whole range."""
    before = position(table)
    table.commit("SET TBLPROPERTIES", metadata(feed=False))
    table.commit("DELETE", remove("f1"))
    table.commit("SET TBLPROPERTIES", metadata(feed=True))

    assert (kind(since(table, before)), fed(since(table, before))) == (FeedMissing, False)


def test_a_feed_switched_on_later_covers_what_comes_after(tmp_path: Path) -> None:
    """A range that starts after the feed came on is readable."""
    table = LogBuilder(tmp_path / "t").create(feed=False).append("f1")
    table.commit("SET TBLPROPERTIES", metadata(feed=True))
    before = position(table)
    table.commit("DELETE", remove("f1"))

    assert (kind(since(table, before)), fed(since(table, before))) == (Changed, True)


@pytest.mark.parametrize("operation", ["CREATE OR REPLACE TABLE AS SELECT", "RESTORE"])
def test_a_replaced_table_is_named_so(table: LogBuilder, operation: str) -> None:
    """A replace keeps the versions going; with the feed on and the same columns its feed stays usable."""
    before = position(table)
    table.commit(operation, metadata(table_id="two"), remove("f1", None), table.add("f2", 5))

    answer = since(table, before)

    assert (Overwritten, f"version 2 is a {operation}", True) == (
        kind(answer),
        answer.happened.detail,
        fed(answer),
    )
    assert answer.now.table_id == "two"


def test_other_columns_make_the_feed_unusable(table: LogBuilder) -> None:
    """Delta answers with NULLs, not with an error, across a schema change: never trust that feed."""
    before = position(table)
    table.commit("ADD COLUMNS", metadata(fields=(("a", "integer"), ("b", "string"), ("c", "long"))))
    table.append("f2")

    answer = since(table, before)

    assert (
        kind(answer),
        answer.happened.detail,
        fed(answer),
    ) == (Altered, "version 2 added the column c", False)


def test_another_table_of_the_same_name(table: LogBuilder) -> None:
    """DROP and CREATE restart the versions: the commit time shows it if the number alone does not."""
    before = position(table)
    for file in table.log.iterdir():
        file.unlink()
    again = LogBuilder(table.path, clock=table.clock + 60_000).create(table_id="two").append("g1").append("g2")

    assert kind(since(again, before)) is Recreated


def test_versions_that_went_back(table: LogBuilder) -> None:
    """A table younger than the frontier is another table."""
    before = SourcePosition("one", 7, 123)

    assert kind(since(table, before)) is Recreated


def test_a_gap_in_the_log_is_unreadable(table: LogBuilder) -> None:
    """When commits of the range were cleaned up, what they did cannot be known."""
    before = position(table)
    table.append("f2").append("f3")
    table.checksum()
    table.checkpoint()
    table.clean(2)

    answer = since(table, before)

    assert (
        kind(answer),
        answer.happened.detail,
    ) == (HistoryLost, "version 2 has been cleaned out of its log")


def test_a_vacuumed_start_is_unreadable(table: LogBuilder) -> None:
    """A change needs the rows of the old version; VACUUM may have removed their files."""
    before = position(table)
    table.commit("DELETE", remove("f1", 10), table.add("f2", 9))
    table.vacuum("f1")

    answer = since(table, before)

    assert kind(answer) is HistoryLost
    assert "f1" in answer.happened.detail


def test_files_added_and_removed_inside_the_range_are_needed_by_the_feed(table: LogBuilder) -> None:
    """Delta reads added and removed files even if both together change nothing."""
    before = position(table)
    table.append("f2")
    table.commit("DELETE", remove("f2"))
    kept = since(table, before)
    table.vacuum("f2")

    assert kind(kept) is Changed
    assert (kind(since(table, before)), fed(since(table, before))) == (HistoryLost, False)


def test_merge_counts_come_from_the_writer(table: LogBuilder) -> None:
    """A rewritten file has copied rows; the operation's own metrics leave them out."""
    before = position(table)
    table.commit(
        "MERGE",
        remove("f1", 10),
        table.add("f2", 11),
        operationMetrics={
            "numTargetRowsInserted": "2",
            "numTargetRowsUpdated": "3",
            "numTargetRowsDeleted": "1",
        },
    )

    answer = since(table, before)

    assert (answer.volume.added, answer.volume.removed) == (5, 4)


def test_no_delta_table(tmp_path: Path) -> None:
    """A folder without a log has no versions."""
    assert kind(probe(DeltaLog(tmp_path), "s.t", None)) is NotVersioned


def test_an_append_without_a_feed_names_its_files(tmp_path: Path) -> None:
    """Plain files are read by path; after a compaction too, for the old files are still there."""
    table = LogBuilder(tmp_path / "t").create(feed=False).append("f1")
    before = position(table)
    table.append("f2").append("f3")

    answer = since(table, before)

    assert [Path(path).name for path in paths(answer)] == ["f2", "f3"]
    table.commit("OPTIMIZE", remove("f2", data_change=False), table.add("f4", 2, data_change=False))
    assert paths(since(table, before)) == paths(answer)


def test_an_append_whose_files_are_missing_cannot_be_read(tmp_path: Path) -> None:
    """After compaction and VACUUM neither files nor table separate the added rows from the old ones."""
    table = LogBuilder(tmp_path / "t").create(feed=False).append("f1")
    before = position(table)
    table.append("f2")
    table.commit("OPTIMIZE", remove("f2", data_change=False), table.add("f3", 2, data_change=False))
    table.vacuum("f2")

    assert since(table, before).changes is None
