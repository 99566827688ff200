"""What of a source is read by its files: exactly its rows, or nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable

from dbt.adapters.trickle.history.delta_files import DeltaLog, probe
from dbt.adapters.trickle.history.delta_files.readable_files import MANY, readable_files
from dbt.adapters.trickle.history.delta_files.whole_files import LOOK_BACK, present_files
from tests.adapter.log_builder import LogBuilder, metadata, remove, schema_string
from tests.adapter.probed import kind
from trickle import Column
from trickle.catalog.frontier import SourcePosition
from trickle.catalog.happened import (
    Appended,
    Changed,
    FeedMissing,
    HistoryLost,
    MaintenanceOnly,
    NotVersioned,
    Unchanged,
)
from trickle.catalog.probe import Probe
from trickle.catalog.source_files import DataFiles, SourceFiles

NOTHING = SourceFiles()
LATER = (("a", "integer"), ("b", "string"), ("c", "integer"))


def table_in(folder: Path) -> LogBuilder:
    """A table with one file."""
    return LogBuilder(folder / "t").create().append("f1", rows=10)


@pytest.fixture
def table(tmp_path: Path) -> LogBuilder:
    return table_in(tmp_path)


def position(table: LogBuilder) -> SourcePosition:
    return SourcePosition("one", table.version, table.clock)


def probed(table: LogBuilder, before: SourcePosition | None) -> Probe:
    return probe(DeltaLog(table.path), "s.t", before)


def found(table: LogBuilder, before: SourcePosition | None) -> SourceFiles:
    return readable_files(DeltaLog(table.path), probed(table, before))


def names(files: DataFiles | None) -> list[str] | None:
    return None if files is None else sorted(Path(path).name for path in files.paths)


def three(files: SourceFiles) -> tuple[list[str] | None, list[str] | None, list[str] | None]:
    return names(files.now), names(files.before), names(files.change)


def hiding(table: LogBuilder, name: str, rows: int) -> LogBuilder:
    """A deletion vector that hides one of the file's rows."""
    return table.commit("DELETE", remove(name, rows), table.add(name, rows, deleted=1))


def without_statistics(table: LogBuilder, name: str) -> dict[str, Any]:
    added = table.add(name)
    del added["add"]["stats"]
    return added


def test_an_unchanged_source_is_read_as_it_is_now(table: LogBuilder) -> None:
    """Absolute paths, and every column of the table with its Spark type."""
    before = position(table)

    assert kind(probed(table, before)) is Unchanged
    assert found(table, before) == SourceFiles(
        DataFiles((str(table.path / "f1"),), (Column("a", "int"), Column("b", "string")))
    )


def test_an_append_is_read_by_its_own_files(table: LogBuilder) -> None:
    """All files now, those there were, and those that came."""
    before = position(table)
    table.append("f2").append("f3")

    assert kind(probed(table, before)) is Appended
    assert three(found(table, before)) == (["f1", "f2", "f3"], ["f1"], ["f2", "f3"])


def test_rewritten_files_are_no_new_rows(table: LogBuilder) -> None:
    """OPTIMIZE among appends: its file is there now, and none of those that were added."""
    before = position(table)
    table.append("f2")
    table.commit("OPTIMIZE", remove("f1", 10, False), table.add("big", 10, data_change=False))

    assert three(found(table, before)) == (["big", "f2"], ["f1"], ["f2"])


def test_files_that_were_only_rewritten_are_read_as_they_are_now(table: LogBuilder) -> None:
    """Of a source that did not change nothing but its present rows is read."""
    before = position(table)
    table.commit("OPTIMIZE", remove("f1", 10, False), table.add("big", 10, data_change=False))

    assert kind(probed(table, before)) is MaintenanceOnly
    assert three(found(table, before)) == (["big"], None, None)


def test_a_file_in_the_place_of_another_is_a_change_of_all_its_rows(table: LogBuilder) -> None:
    """As the feed has it, which knows no more: those of the one went, those of the other came."""
    before = position(table)
    table.commit("DELETE", remove("f1", 10), table.add("f2", 9))
    files = found(table, before)

    assert kind(probed(table, before)) is Changed
    assert three(files) == (["f2"], ["f1"], ["f2"])
    assert files.change is not None and files.change.signed
    assert [(Path(part.path).name, part.without, part.only, part.weight) for part in files.change.parts] == [
        ("f1", None, None, -1)
    ]


def test_rows_that_cannot_be_told_apart_are_still_read(tmp_path: Path) -> None:
    """Without a feed the whole of the table is read anew: by its files."""
    table = LogBuilder(tmp_path / "t").create(feed=False).append("f1")
    before = position(table)
    table.commit("DELETE", remove("f1"), table.add("f2"))

    assert kind(probed(table, before)) is FeedMissing
    assert three(found(table, before)) == (["f2"], None, None)


def test_rows_hidden_nobody_knows_how_are_left_to_delta(table: LogBuilder) -> None:
    """The vector has no place here. What was there before it is read by its files."""
    before = position(table)
    hiding(table, "f1", 10)
    after = position(table)
    table.append("f2")

    assert three(found(table, before)) == (None, ["f1"], None)
    assert three(found(table, after)) == (None, None, ["f2"])


def described(**facts: object) -> str:
    """A schema whose columns have facts beside name and type."""
    fields = [{"name": name, "type": "string", "nullable": True, "metadata": facts} for name in ("a", "b")]
    return json.dumps({"type": "struct", "fields": fields})


@pytest.mark.parametrize(
    "changed",
    [
        {"partitionColumns": ["a"]},
        {"schemaString": described(**{"delta.columnMapping.physicalName": "col-1"})},
        {"schemaString": described(**{"delta.typeChanges": [{"fromType": "short"}]})},
        {"schemaString": described(__CHAR_VARCHAR_TYPE_STRING="char(3)")},
        {"schemaString": schema_string((("a", {"type": "struct", "fields": []}), ("b", "string")))},
        {"schemaString": schema_string((("a", "variant"), ("b", "string")))},
    ],
    ids=["partitioned", "mapped", "widened", "char", "struct", "variant"],
)
def test_files_that_say_less_than_the_table_are_left_to_delta(tmp_path: Path, changed: dict[str, Any]) -> None:
    """A partition is in the path, a mapped name in the log, and fields of structs in an order of the file's own."""
    table = LogBuilder(tmp_path / "t")
    table.commit("CREATE TABLE", {"metaData": {**metadata()["metaData"], **changed}})
    before = position(table.append("f1"))
    table.append("f2")

    assert kind(probed(table, before)) is Appended
    assert found(table, before) == NOTHING


def test_older_files_are_not_read_under_a_newer_definition(table: LogBuilder) -> None:
    """A column that came since is in none of them."""
    before = position(table)
    table.commit("ADD COLUMNS", metadata(fields=LATER))
    table.append("f2")

    assert found(table, before) == NOTHING


def test_a_definition_with_the_same_columns_leaves_the_present_rows(table: LogBuilder) -> None:
    """What the table was before is read through Delta, whatever has changed in its definition."""
    before = position(table)
    table.commit("SET TBLPROPERTIES", metadata(owner="me"))
    table.append("f2")

    assert three(found(table, before)) == (["f1", "f2"], None, None)


def test_a_file_whose_columns_are_not_known_is_left_to_delta(table: LogBuilder) -> None:
    """Statistics name the columns that a file has; other files are still read."""
    before = position(table)
    table.commit("WRITE", without_statistics(table, "f2"))

    assert three(found(table, before)) == (None, ["f1"], None)


def test_a_column_that_came_before_the_last_read_is_in_no_older_file(table: LogBuilder) -> None:
    """The definition is the same at both positions, and still the first file has not got it."""
    table.commit("ADD COLUMNS", metadata(fields=LATER))
    before = position(table)
    newer = table.add("f2")
    newer["add"]["stats"] = json.dumps({"numRecords": 1, "nullCount": {"a": 0, "b": 0, "c": 0}})
    table.commit("WRITE", newer)

    assert kind(probed(table, before)) is Appended
    assert three(found(table, before)) == (None, None, ["f2"])


@pytest.mark.parametrize("predicate", [{"predicate": "[a > 1]"}, {"partitionBy": '["a"]'}])
def test_a_part_that_is_overwritten_leaves_the_others(tmp_path: Path, predicate: dict[str, str]) -> None:
    """INSERT OVERWRITE of some values, or of a partition: the files of the rest are still there."""
    table = table_in(tmp_path).append("f2")
    parameters = {"mode": "Overwrite", "partitionBy": "[]", **predicate}
    table.commit("WRITE", remove("f1"), table.add("f3"), operationParameters=parameters)

    assert names(found(table, position(table)).now) == ["f2", "f3"]


@pytest.mark.parametrize(("more", "readable"), [(MANY - 1, True), (MANY, False)])
def test_many_files_are_listed_faster_by_delta(table: LogBuilder, more: int, readable: bool) -> None:
    """The limit is of each set of files: those that were added may be few."""
    table.commit("WRITE", *(table.add(f"m{number}") for number in range(more)))
    before = position(table)
    table.append("last")
    files = found(table, before)

    assert (files.before is not None) is readable
    assert (files.now, names(files.change)) == (None, ["last"])


def test_a_table_without_files_is_left_to_delta(tmp_path: Path) -> None:
    """A read of no files has no columns that Spark could check."""
    table = LogBuilder(tmp_path / "t").create()

    assert found(table, position(table)) == NOTHING


def test_a_file_that_is_gone_is_not_named(table: LogBuilder) -> None:
    """VACUUM takes what only older versions have: their changes are lost, and the present rows are read."""
    before = position(table)
    table.commit("OPTIMIZE", remove("f1", 10, False), table.add("big", 10, data_change=False)).append("f2")
    beforehand = probed(table, before)
    table.vacuum("f1")

    assert kind(probed(table, before)) is HistoryLost
    assert three(found(table, before)) == (["big", "f2"], None, None)
    assert three(readable_files(DeltaLog(table.path), beforehand)) == (["big", "f2"], None, ["f2"])


def test_a_log_that_cannot_be_read_names_no_files(table: LogBuilder) -> None:
    """Delta may read it, and says so where not."""
    probe_of_then = probed(table, position(table))
    table.clean(0)

    assert readable_files(DeltaLog(table.path), probe_of_then) == NOTHING


def test_a_source_without_versions_has_no_files(table: LogBuilder) -> None:
    """Whatever lies in its folder."""
    seen = Probe("s.t", SourcePosition("", -1, 0), NotVersioned())

    assert readable_files(DeltaLog(table.path), seen) == NOTHING


def as_known(log: DeltaLog, version: int) -> dict[str, tuple[str, int, int | None, bool, tuple[str, ...]]]:
    """What is compared of the files: statistics say the same in two forms."""
    return {
        path: (file.path, file.size, file.rows, file.hides_rows, tuple(json.loads(file.stats or "{}")["nullCount"]))
        for path, file in present_files(log, version).items()
    }


def eventful(path: Path) -> LogBuilder:
    """Files that came, were rewritten and went, one with a name that the log has to write in another form."""
    protocol = {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}
    table = LogBuilder(path).commit("CREATE TABLE", protocol, metadata(feed=False)).append("f1", 3).append("f2", 2)
    table.commit("OPTIMIZE", remove("f1", 3, False), remove("f2", 2, False), table.add("f3", 5, data_change=False))
    odd = table.add("f 4", 2)
    odd["add"]["path"] = "f%204"
    table.commit("WRITE", odd)
    return table.append("f5").append("f6").commit("DELETE", remove("f5"))


def test_a_checkpoint_names_the_files_that_the_commits_name(tmp_path: Path) -> None:
    """Once the commits before it are gone, as after thirty days."""
    table = eventful(tmp_path / "t")
    by_commits = as_known(DeltaLog(table.path), table.version)
    DeltaTable(str(table.path)).create_checkpoint()
    table.append("f7")
    for version in range(table.version - 1):
        table.clean(version)

    log = DeltaLog(table.path)

    assert set(by_commits) == {"f3", "f%204", "f6"}
    assert as_known(log, table.version - 1) == by_commits
    assert set(as_known(log, table.version)) == {*by_commits, "f7"}
    assert [Path(path).name for path in log.paths([present_files(log, table.version)["f%204"]])] == ["f 4"]


def test_a_long_log_is_read_from_its_checkpoint(tmp_path: Path) -> None:
    """Where the last whole write is further back than the commits that are read for it."""
    table = eventful(tmp_path / "t")
    for number in range(LOOK_BACK):
        table.append(f"n{number}")
    DeltaTable(str(table.path)).create_checkpoint()

    files = present_files(DeltaLog(table.path), table.version)

    assert set(files) == {"f3", "f%204", "f6", *(f"n{number}" for number in range(LOOK_BACK))}


def test_a_checkpoint_of_a_table_with_deletion_vectors_tells_nothing(tmp_path: Path) -> None:
    """The library that reads it leaves out which files hold rows that are not theirs any more."""
    table = LogBuilder(tmp_path / "t")
    features = {"readerFeatures": ["deletionVectors"], "writerFeatures": ["deletionVectors"]}
    protocol = {"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, **features}}
    table.commit("CREATE TABLE", protocol, metadata())
    table.append("f1", rows=3)

    assert DeltaLog(table.path).data_files(table.version) == {}
