"""A small table is read by its files only if they have every one of its rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.log_folder import LogFolder
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.history.delta_files.whole_files import FEW, RECENT, whole_files
from tests.adapter.counting_store import CountingStore
from tests.adapter.log_builder import LogBuilder, metadata, remove

WHOLE = {"mode": "Overwrite", "partitionBy": "[]"}


def held(builder: LogBuilder) -> tuple[str, ...]:
    log = DeltaLog(builder.path)
    return whole_files(log, log.latest, metadata_at(log, log.latest))


def one_file(path: Path, definition: dict[str, Any] | None = None, deleted: int = 0) -> LogBuilder:
    builder = LogBuilder(path)
    builder.commit("CREATE TABLE AS SELECT", definition or metadata(), builder.add("a.parquet", 3, deleted=deleted))
    return builder


def test_the_files_of_a_small_table_are_named(tmp_path: Path) -> None:
    """Whole paths, for every file there is."""
    builder = one_file(tmp_path)
    builder.append("b.parquet")

    assert held(builder) == (str(tmp_path / "a.parquet"), str(tmp_path / "b.parquet"))


def test_a_table_of_many_files_is_left_to_delta(tmp_path: Path) -> None:
    """Each path is a separate request to the disk."""
    builder = one_file(tmp_path)
    for number in range(FEW):
        builder.append(f"{number}.parquet")

    assert held(builder) == ()


def test_rows_hidden_by_a_deletion_vector_are_not_read(tmp_path: Path) -> None:
    """The file still contains them."""
    assert held(one_file(tmp_path, deleted=1)) == ()


def test_replaced_files_are_not_named(tmp_path: Path) -> None:
    """The table consists of the files since its last whole write."""
    builder = one_file(tmp_path)
    added = (builder.add("b.parquet"), builder.add("c.parquet"))
    builder.commit("WRITE", remove("a.parquet"), *added, operationParameters=WHOLE)
    builder.commit("OPTIMIZE", remove("b.parquet"), remove("c.parquet"), builder.add("d.parquet"))

    assert held(builder) == (str(tmp_path / "d.parquet"),)


def test_rows_hidden_later_are_not_read_either(tmp_path: Path) -> None:
    """A deletion vector removes a file and adds it again."""
    builder = one_file(tmp_path)
    builder.commit("DELETE", remove("a.parquet"), builder.add("a.parquet", deleted=1))

    assert held(builder) == ()


@pytest.mark.parametrize(
    ("operation", "parameters"),
    [("WRITE", {"mode": "Append"}), ("WRITE", {**WHOLE, "predicate": "[a > 1]"}), ("CREATE TABLE", {})],
)
def test_only_a_table_written_whole_is_known(tmp_path: Path, operation: str, parameters: dict[str, str]) -> None:
    """If no commit wrote the whole table, older ones may have added files, unless it is the first."""
    builder = LogBuilder(tmp_path)
    builder.commit(operation, metadata(), builder.add("a.parquet"), operationParameters=parameters)
    builder.append("b.parquet")

    assert [Path(path).name for path in held(builder)] == ["a.parquet", "b.parquet"]

    definition = metadata_at(DeltaLog(builder.path), 1)
    builder.clean(0)

    assert whole_files(DeltaLog(builder.path), 1, definition) == ()


def test_a_cleaned_log_is_not_guessed(tmp_path: Path) -> None:
    """Old commits are removed from the log."""
    builder = one_file(tmp_path)
    builder.append("b.parquet").append("c.parquet")
    builder.checksum()
    builder.clean(1)

    assert held(builder) == ()


def test_missing_files_are_not_named(tmp_path: Path) -> None:
    """Delta's error message is better than that of a missing path."""
    builder = one_file(tmp_path)
    builder.vacuum("a.parquet")

    assert held(builder) == ()


@pytest.mark.parametrize("folder", ["a*", "a[b]", "{a}", "a?"])
def test_a_path_that_spark_would_take_for_a_pattern_is_not_named(tmp_path: Path, folder: str) -> None:
    """It would name other files, or none."""
    assert held(one_file(tmp_path / folder)) == ()


def _with(**changes: Any) -> dict[str, Any]:
    definition = metadata()
    definition["metaData"].update(changes)
    return definition


def _schema(kind: object, **described: str) -> str:
    return json.dumps(
        {"type": "struct", "fields": [{"name": "a", "type": kind, "nullable": True, "metadata": described}]}
    )


@pytest.mark.parametrize(
    "definition",
    [
        _with(partitionColumns=["a"]),
        _with(schemaString=_schema("string", **{"delta.columnMapping.physicalName": "col-1"})),
        _with(schemaString=_schema("string", __COLLATIONS="UTF8_LCASE")),
        _with(schemaString=_schema("string", __CHAR_VARCHAR_TYPE_STRING="char(3)")),
        _with(schemaString=_schema("void")),
        _with(schemaString=_schema("variant")),
    ],
    ids=["partitioned", "mapped", "collated", "char", "void", "variant"],
)
def test_a_file_without_all_of_its_columns_is_not_read_alone(tmp_path: Path, definition: dict[str, Any]) -> None:
    """A partition is in the path, a mapped name in the log, a collation in the table's schema."""
    assert held(one_file(tmp_path, definition)) == ()


def test_comments_do_not_matter(tmp_path: Path) -> None:
    """They belong to the table and do not affect its rows."""
    builder = one_file(tmp_path, metadata(comment="how much"))

    assert held(builder) == (str(tmp_path / "a.parquet"),)


def test_a_table_written_whole_long_ago_is_not_searched_for(tmp_path: Path) -> None:
    """Each commit is a file to read, and a refresh asks this of its own storage even when there is nothing to do."""
    builder = one_file(tmp_path)
    for number in range(3 * RECENT):
        builder.commit("WRITE", remove("a.parquet"), builder.add("a.parquet", number + 1), operationParameters={})
    store = CountingStore()
    log = DeltaLog(builder.path, folder=LogFolder(str(builder.path), store))
    definition = metadata_at(DeltaLog(builder.path), builder.version)

    assert whole_files(log, log.latest, definition) == ()
    assert store.read_of(builder.path.name) == RECENT
