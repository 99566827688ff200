"""A history by SQL says no more than Spark's answers bear out: what is not known counts as a change of rows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest

from dbt.adapters.trickle.history.delta_files import LogUnreadable, last_stamp, probe, unstamped_change
from dbt.adapters.trickle.history.sql_history import SqlHistory
from dbt.adapters.trickle.history.sql_operations import changed_files, keeps_protocol
from tests.adapter.recording_session import RecordingSession
from trickle import Failure, Frontier, SourcePosition, Stamp
from trickle.catalog.happened import Appended, Changed, FeedMissing, MaintenanceOnly, Overwritten, Unchanged

COLUMNS = (("a", "int"), ("b", "string"))
MERGED = {
    "numTargetRowsInserted": "0",
    "numTargetRowsUpdated": "0",
    "numTargetRowsDeleted": "0",
    "numTargetFilesRemoved": "0",
    "numTargetDeletionVectorsAdded": "0",
}
APPEND = ("WRITE", {"mode": "Append"}, {"numFiles": "1", "numOutputRows": "3", "numOutputBytes": "600"})


class Table:
    """Spark's answers about one table, which grows commit by commit."""

    def __init__(self) -> None:
        self.session = RecordingSession()
        self.commits: list[tuple[Any, ...]] = []
        self.detail("one")

    def detail(self, table_id: str, **properties: str) -> None:
        found = ("delta", table_id, "s.t", None, "file:/t", None, None, [], ["a"], 2, 1000, properties, 1, 7, ["x"])
        self.session.answers["DESCRIBE DETAIL s.t"] = [found]

    def commit(
        self,
        operation: str,
        parameters: Mapping[str, str] | None = None,
        metrics: Mapping[str, str] | None = None,
        columns: tuple[tuple[str, str], ...] = COLUMNS,
        stamp: str | None = None,
    ) -> None:
        version = len(self.commits)
        at = datetime(2026, 1, 1, 0, version, 0, 250_000)
        row = (version, at, None, None, operation, parameters or {}, *([None] * 6), metrics or {}, stamp, "Spark")
        self.commits.insert(0, row)
        self.session.answers["DESCRIBE HISTORY s.t"] = list(self.commits)
        self.session.types[f"SELECT * FROM s.t VERSION AS OF {version}"] = columns

    @property
    def history(self) -> SqlHistory:
        return SqlHistory(self.session, "s.t")

    def position(self, version: int) -> SourcePosition:
        return SourcePosition("one", version, self.history.commit(version).committed_at)


@pytest.fixture
def table() -> Table:
    table = Table()
    table.commit("CREATE TABLE")
    table.commit(*APPEND)
    return table


@pytest.mark.parametrize(
    ("operation", "parameters", "metrics", "added", "removed"),
    [
        (*APPEND, True, False),
        ("WRITE", {"mode": "Append"}, {"numFiles": "0"}, False, False),
        ("WRITE", {"mode": "Overwrite"}, {}, True, True),
        ("STREAMING UPDATE", {"outputMode": "Append"}, {"numAddedFiles": "1", "numRemovedFiles": "0"}, True, False),
        ("STREAMING UPDATE", {"outputMode": "Append"}, {}, True, True),
        ("MERGE", {}, {}, True, True),
        ("MERGE", {}, MERGED, False, False),
        ("MERGE", {}, {**MERGED, "numTargetRowsInserted": "2"}, True, False),
        ("MERGE", {}, {**MERGED, "numTargetRowsUpdated": "2"}, True, True),
        ("MERGE", {}, {**MERGED, "numTargetRowsDeleted": "2"}, False, True),
        ("UPDATE", {}, {"numUpdatedRows": "0"}, False, False),
        ("UPDATE", {}, {}, True, True),
        ("DELETE", {}, {"numDeletedRows": "4"}, False, True),
        ("TRUNCATE", {}, {}, False, True),
        ("OPTIMIZE", {}, {"numAddedFiles": "1", "numRemovedFiles": "4"}, False, False),
        ("SET TBLPROPERTIES", {}, {}, False, False),
        ("A NEW OPERATION", {}, {}, True, True),
    ],
)
def test_an_operation_s_rows(
    operation: str, parameters: dict[str, str], metrics: dict[str, str], added: bool, removed: bool
) -> None:
    """Whether rows came and went, by operation and metrics."""
    adds, removes = changed_files(operation, parameters, metrics)
    assert (bool(adds), bool(removes)) == (added, removed)


def test_what_readers_must_know() -> None:
    """A property of Delta's may ask more of them, one of the user's never; an unknown operation may do anything."""
    assert keeps_protocol("MERGE", {})
    assert keeps_protocol("SET TBLPROPERTIES", {"properties": '{"owner": "me"}'})
    assert not keeps_protocol("SET TBLPROPERTIES", {"properties": '{"delta.enableDeletionVectors": "true"}'})
    assert not keeps_protocol("UNSET TBLPROPERTIES", {"properties": '["delta.enableChangeDataFeed"]'})
    assert not keeps_protocol("A NEW OPERATION", {})


def test_each_question_is_asked_once(table: Table) -> None:
    """However often the history is asked, and in UTC, whatever the session's time zone is."""
    history = table.history
    for _ in range(3):
        assert history.latest == 1
        assert history.commit(1).committed_at == 1_767_225_660_250
        assert history.at(0).latest == 0
        assert history.size(1).bytes == 1000
    assert table.session.statements == ["DESCRIBE HISTORY s.t", "DESCRIBE DETAIL s.t"]
    assert table.session.ran[0].settings == {"spark.sql.session.timeZone": "UTC"}


def test_a_table_that_is_not_there() -> None:
    """No table is no history; any other failure is one."""
    missing = RecordingSession(lambda sql: Failure("TABLE_OR_VIEW_NOT_FOUND", "42P01", "no table"))
    broken = RecordingSession(lambda sql: Failure("INTERNAL_ERROR", "XX000", "broken"))
    assert not SqlHistory(missing, "s.t").exists
    with pytest.raises(LogUnreadable, match=r"^the history of s\.t cannot be read \(broken\)$"):
        assert SqlHistory(broken, "s.t").exists


def test_a_version_that_was_cleaned_out(table: Table) -> None:
    table.commits.pop()
    table.session.answers["DESCRIBE HISTORY s.t"] = list(table.commits)
    with pytest.raises(LogUnreadable, match=r"version 0 of s\.t has been cleaned out of the log"):
        table.history.commit(0)


def test_a_write_that_brought_a_column_redefines(table: Table) -> None:
    """Its operation says nothing of it, so the columns of both versions are compared."""
    table.commit(*APPEND)
    table.commit(*APPEND, columns=(*COLUMNS, ("c", "date")))
    assert table.history.commit(2).metadata is None
    found = table.history.commit(3).metadata
    assert found is not None and [column.name for column in found.columns] == ["a", "b", "c"]


def test_what_happened_to_a_source(table: Table) -> None:
    """The same judgement as from files, where files are not needed for it."""
    table.detail("one", **{"delta.enableChangeDataFeed": "true"})
    before = table.position(1)
    assert isinstance(probe(table.history, "s.t", before).happened, Unchanged)
    table.commit("OPTIMIZE")
    assert isinstance(probe(table.history, "s.t", before).happened, MaintenanceOnly)
    table.commit(*APPEND)
    assert isinstance(probe(table.history, "s.t", before).happened, Appended)
    table.commit("DELETE", metrics={"numDeletedRows": "1"})
    assert isinstance(probe(table.history, "s.t", before).happened, Changed)
    table.commit("CREATE OR REPLACE TABLE AS SELECT")
    assert isinstance(probe(table.history, "s.t", before).happened, Overwritten)


def test_without_the_feed_a_change_is_not_known(table: Table) -> None:
    """Appended files cannot be read by their paths from here, and the feed is off."""
    before = table.position(1)
    table.commit("UPDATE", metrics={"numUpdatedRows": "1"})
    assert isinstance(probe(table.history, "s.t", before).happened, FeedMissing)


def test_a_stamp_is_in_the_commit(table: Table) -> None:
    """Maintenance after it is passed over; somebody else's write is found."""
    stamp = Stamp("model.p.t", 3, "FULL", "first_build", "create", "d", {}, Frontier({}), 5, "0.2")
    table.commit("MERGE", stamp=stamp.to_json())
    table.commit("OPTIMIZE")
    found = last_stamp(table.history)
    assert found is not None and (found.stamp, found.commit.version) == (stamp, 2)
    assert unstamped_change(table.history, found) is None
    table.commit("DELETE")
    change = unstamped_change(table.history, found)
    assert change is not None and change.version == 4
