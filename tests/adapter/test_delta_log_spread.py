"""The values in a log's statistics: bounds that contain every changed row, or none at all."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog, probe
from dbt.adapters.trickle.history.delta_files import column_statistics as statistics
from tests.adapter.log_builder import LogBuilder, metadata
from trickle import SourcePosition
from trickle.plan.ranges import ColumnStatistics, Ranges

FIELDS = (
    ("k", "long"),
    ("day", "date"),
    ("price", "decimal(10,2)"),
    ("name", "string"),
    ("at", "timestamp"),
    ("ratio", "double"),
)


@pytest.fixture
def built(tmp_path: Path) -> LogBuilder:
    return LogBuilder(tmp_path / "t").commit("CREATE TABLE", metadata(fields=FIELDS))


def add(built: LogBuilder, file: str, /, rows: int = 1, nulls: int = 0, **bounds: tuple[Any, Any]) -> dict[str, Any]:
    action = built.add(file, rows)
    stats = {
        "numRecords": rows,
        "minValues": {column: low for column, (low, _) in bounds.items()},
        "maxValues": {column: high for column, (_, high) in bounds.items()},
        "nullCount": {column: nulls for column, _ in FIELDS},
    }
    action["add"]["stats"] = json.dumps(stats)
    return action


def gone(name: str) -> dict[str, Any]:
    """As Delta writes it: without minimum and maximum."""
    return {"remove": {"path": name, "dataChange": True, "size": 100, "stats": json.dumps({"numRecords": 1})}}


def told(built: LogBuilder, since: int) -> ColumnStatistics:
    log = DeltaLog(built.path)
    return statistics(log, probe(log, "t", SourcePosition("one", since, log.commit(since).committed_at)))


def test_added_files_bound_an_append(built: LogBuilder) -> None:
    """Each file's own range, for types whose statistics are exact."""
    bounds = {"day": ("2024-01-01", "2024-01-31"), "name": ("a", "b"), "at": ("2024-01-01T00:00:00.000Z",) * 2}
    built.commit("WRITE", add(built, "a", 5, k=(1, 9), price=(-1.5, 20), ratio=(0.5, 1.5), **bounds))
    built.commit("WRITE", add(built, "b", 5, nulls=2, k=(20, 2**60), price=(7, 7.25)))

    found = told(built, 0).changed

    assert found == {
        "k": Ranges(((1, 9), (20, 2**60)), null=True),
        "price": Ranges(((Decimal("-1.5"), Decimal(20)),), null=True),
    }
    assert told(built, 1).changed["k"] == Ranges(((20, 2**60),), null=True)


def test_dates_are_dates(built: LogBuilder) -> None:
    """A year that Python does not support leaves the column out."""
    built.commit("WRITE", add(built, "a", day=("2024-01-01", "2024-01-31")))
    assert told(built, 0).changed == {"day": Ranges((("2024-01-01", "2024-01-31"),))}

    built.commit("WRITE", add(built, "b", day=("2024-01-01", "+12024-01-31")))
    assert told(built, 0).changed == {}


def test_a_column_of_nulls_is_null(built: LogBuilder) -> None:
    """Delta writes no bounds for it."""
    built.commit("WRITE", add(built, "a", 3, nulls=3))

    assert told(built, 0).changed["k"] == Ranges(null=True)


def test_without_statistics_nothing_is_known(built: LogBuilder) -> None:
    """One file without statistics is enough."""
    built.commit("WRITE", add(built, "a", k=(1, 9)), built.add("b"))

    assert told(built, 0).changed == {}


def test_removed_files_are_bounded_where_they_were_added(built: LogBuilder) -> None:
    """Here in the range itself: a row may come and go between two refreshes."""
    built.commit("WRITE", add(built, "a", k=(1, 9)))
    built.commit("DELETE", gone("a"), add(built, "b", k=(1, 4)))

    assert told(built, 0).changed["k"] == Ranges(((1, 9),))


def test_files_removed_from_before_the_range_are_looked_up(built: LogBuilder) -> None:
    """In the checksum file of the version the range begins at; without one there is nothing to build upon."""
    action = add(built, "a", k=(1, 9))
    built.commit("WRITE", action).checksum()
    checksum = built.log / f"{built.version:020d}.crc"
    content = json.loads(checksum.read_text("utf-8"))
    checksum.write_text(json.dumps({**content, "allFiles": [action["add"]]}), "utf-8")
    built.commit("UPDATE", gone("a"), add(built, "b", k=(3, 12)))

    assert told(built, 1).changed["k"] == Ranges(((1, 12),))

    checksum.write_text(json.dumps({**content, "allFiles": []}), "utf-8")
    assert told(built, 1).changed == {}


def test_a_deletion_vector_leaves_bounds_as_wide_as_the_file(built: LogBuilder) -> None:
    """The file is removed and added again, with statistics that no longer fit tightly."""
    built.commit("WRITE", add(built, "a", 9, k=(1, 9)))
    again = add(built, "a", 9, k=(1, 9))
    again["add"]["deletionVector"] = {"storageType": "u", "cardinality": 3}
    built.commit("DELETE", gone("a"), again)

    assert told(built, 1).changed["k"] == Ranges(((1, 9),))


def test_compaction_is_no_change(built: LogBuilder) -> None:
    """Files that only rewrite rows do not bound the change."""
    built.commit("WRITE", add(built, "a", k=(1, 9)))
    moved, away = add(built, "b", k=(-100, 100)), gone("a")
    moved["add"]["dataChange"] = away["remove"]["dataChange"] = False
    built.commit("OPTIMIZE", away, moved)

    assert told(built, 0).changed["k"] == Ranges(((1, 9),))


def test_mapped_columns_have_no_bounds(tmp_path: Path) -> None:
    """Their statistics are under other names."""
    definition = metadata(fields=FIELDS)
    schema = json.loads(definition["metaData"]["schemaString"])
    schema["fields"][0]["metadata"] = {"delta.columnMapping.physicalName": "col-1"}
    definition["metaData"]["schemaString"] = json.dumps(schema)
    built = LogBuilder(tmp_path / "t").commit("CREATE TABLE", definition)
    built.commit("WRITE", add(built, "a", k=(1, 9)))

    assert told(built, 0).changed == {}


def test_a_partition_column_has_the_value_of_the_file(built: LogBuilder) -> None:
    """It has no statistics and needs none."""
    one, two = add(built, "a"), add(built, "b")
    one["add"]["partitionValues"], two["add"]["partitionValues"] = {"k": "7"}, {"k": None}
    built.commit("WRITE", one, two)

    assert told(built, 0).changed["k"] == Ranges(((7, 7),), null=True)
