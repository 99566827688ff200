"""Appended files are read by their paths only if each file alone has all that Delta would read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.appended import added_files
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from tests.adapter.log_builder import SCHEMA, LogBuilder, metadata, remove
from trickle.catalog.change_sources import AddedFiles, NamedFiles

NAMED = "part-00000-8aa6f449-e047-4bb9-a8f5-d27d0728ef03.c000.snappy.parquet"
POINT = {
    "type": "struct",
    "fields": [{"name": name, "type": "integer", "nullable": True, "metadata": {}} for name in "xy"],
}


def appended(
    folder: Path, definition: dict[str, Any] | None = None, name: str = NAMED, counted: str = "ab", **told: Any
) -> AddedFiles | NamedFiles | None:
    """What is known of one file that was added to a table."""
    table = LogBuilder(folder)
    table.commit("CREATE TABLE", definition or metadata(feed=False))
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    action = table.add(name, 3)
    action["add"]["stats"] = json.dumps({"numRecords": 3, "nullCount": dict.fromkeys(counted, 0)})
    action["add"].update(told)
    table.commit("WRITE", action)
    log = DeltaLog(folder)
    return added_files(log, metadata_at(log, log.latest), [log.commit(log.latest)])


def partitioned() -> dict[str, Any]:
    action = metadata(feed=False)
    action["metaData"]["partitionColumns"] = ["b"]
    return action


def told(**field: Any) -> dict[str, Any]:
    """A definition whose first column has further metadata."""
    action = metadata(feed=False)
    schema = json.loads(action["metaData"]["schemaString"])
    schema["fields"][0]["metadata"] = field
    action["metaData"]["schemaString"] = json.dumps(schema)
    return action


def test_a_file_of_plain_columns_is_read_by_its_path(tmp_path: Path) -> None:
    """Nothing else of the table is opened."""
    assert appended(tmp_path / "t") == AddedFiles((str(tmp_path / "t" / NAMED),))


THROUGH_DELTA: dict[str, dict[str, Any]] = {
    "a struct, whose fields may stand otherwise in the file": {"definition": metadata(fields=(("a", POINT),))},
    "an array": {"definition": metadata(fields=(("a", {"type": "array", "elementType": "integer"}),))},
    "a column that was widened": {"definition": told(**{"delta.typeChanges": []})},
    "a CHAR": {"definition": told(__CHAR_VARCHAR_TYPE_STRING="char(5)")},
    "a mapped column": {"definition": told(**{"delta.columnMapping.physicalName": "col-1"})},
    "a collation": {"definition": told(__COLLATIONS={"a": "UTF8_LCASE"})},
    "partitions": {"definition": partitioned(), "name": f"b=a%20b/{NAMED}"},
    "statistics that leave a column out": {"counted": "a"},
    "no statistics": {"stats": None},
    "rows hidden by a deletion vector": {"deletionVector": {"storageType": "i", "cardinality": 1}},
}


@pytest.mark.parametrize("case", THROUGH_DELTA.values(), ids=list(THROUGH_DELTA))
def test_every_other_file_is_read_through_the_table(tmp_path: Path, case: dict[str, Any]) -> None:
    """Delta resolves its columns."""
    assert appended(tmp_path / "t", **case) == NamedFiles((NAMED,), 1)


@pytest.mark.parametrize("folder", ["br[1]", "{a,b}", "st*r", "qu?", "back\\slash"])
def test_a_path_that_spark_takes_for_a_pattern_is_not_named(tmp_path: Path, folder: str) -> None:
    """It would find nothing, or another file."""
    assert appended(tmp_path / folder) == NamedFiles((NAMED,), 1)


@pytest.mark.parametrize("folder", ["Mix", "a b", "pct%20x", "ü#+", "quo'te"])
def test_every_other_path_is(tmp_path: Path, folder: str) -> None:
    """As it is, with nothing escaped."""
    assert appended(tmp_path / folder) == AddedFiles((str(tmp_path / folder / NAMED),))


@pytest.mark.parametrize("name", ["part-00000.parquet", f"{NAMED}[1]", f"{NAMED} 2"])
def test_an_ambiguous_file_name_is_not_used(tmp_path: Path, name: str) -> None:
    """Rows of the other file would be read as well, or none would be found."""
    assert appended(tmp_path / "t", definition=metadata(fields=(("a", POINT),)), name=name) is None


def test_a_column_named_like_the_file_metadata(tmp_path: Path) -> None:
    """`_metadata` then is the column, not Spark's file metadata."""
    fields = (*SCHEMA, ("_Metadata", POINT))

    assert appended(tmp_path / "t", definition=metadata(fields=fields)) is None


def test_compacted_files_are_not_read_by_path(tmp_path: Path) -> None:
    """The table no longer has the added files."""
    table = LogBuilder(tmp_path / "t")
    table.commit("CREATE TABLE", metadata(feed=False, fields=(("a", POINT),)))
    table.commit("WRITE", table.add(NAMED))
    table.commit("OPTIMIZE", remove(NAMED, data_change=False), table.add("f2", data_change=False))
    log = DeltaLog(table.path)

    assert added_files(log, metadata_at(log, 2), [log.commit(1), log.commit(2)]) is None
