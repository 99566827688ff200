"""Changes of a definition that need no rebuild, and those after which Delta's feed would misread older files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog, probe
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.rows import rows_until
from dbt.adapters.trickle.history.delta_files.shape import altered, keeps_rows, unreadable_feed
from tests.adapter.log_builder import LogBuilder, metadata, remove
from tests.adapter.probed import fed, kind
from trickle import Probe, SourcePosition
from trickle.catalog.happened import Altered, Appended, Changed, MaintenanceOnly, Overwritten
from trickle.catalog.read_columns import ReadColumns

ONLY_A = ReadColumns(frozenset({"a"}), by_position=False)
MAPPED = "delta.columnMapping.physicalName"


def field(name: str, kind: Any = "integer", nullable: bool = True, **told: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "nullable": nullable, "metadata": told}


def struct(*fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "struct", "fields": list(fields)}


def array(kind: Any, nulls: bool = True) -> dict[str, Any]:
    return {"type": "array", "elementType": kind, "containsNull": nulls}


def defined(*fields: dict[str, Any], partitions: tuple[str, ...] = (), mode: str = "none") -> Metadata:
    return Metadata("one", json.dumps(struct(*fields)), partitions, {"delta.columnMapping.mode": mode})


A, B = field("a"), field("b", "string")
BASE = defined(A, B)

COSTS_NOTHING = {
    "a further column": defined(A, B, field("c")),
    "a comment": defined(field("a", comment="words"), B),
    "another order": defined(B, A),
    "NULL allowed, or no longer": defined(field("a", nullable=False), B),
    "another type of a column nobody reads": defined(A, field("b", "long")),
    "a default for later rows": defined(field("a", CURRENT_DEFAULT="1"), B),
    "an identity that counts on": defined(field("a", **{"delta.identity.highWaterMark": 7}), B),
    "the same column under its own name": defined(field("a", **{MAPPED: "a", "delta.columnMapping.id": 1}), B),
}
COUNTS = {
    "another type": (defined(field("a", "long"), B), "changed the column a"),
    "a column of the same name that is another": (defined(field("a", **{MAPPED: "col-7"}), B), "changed the column a"),
    "a collation": (defined(field("a", __COLLATIONS={"a": "UTF8_LCASE"}), B), "changed the column a"),
    "a column that is gone, whoever reads it": (defined(A), "dropped the column b"),
    "a column renamed": (defined(A, field("bb", "string")), "dropped the column b"),
}


@pytest.mark.parametrize("newer", COSTS_NOTHING.values(), ids=list(COSTS_NOTHING))
def test_changes_of_other_columns_do_not_affect_a_reader(newer: Metadata) -> None:
    """A model that reads column a alone continues."""
    assert altered(ONLY_A, BASE, newer) == ""


@pytest.mark.parametrize(("newer", "what"), COUNTS.values(), ids=list(COUNTS))
def test_changes_that_affect_a_reader(newer: Metadata, what: str) -> None:
    """The sentence names the change."""
    assert altered(ONLY_A, BASE, newer) == what


def test_all_columns_count_for_who_reads_all() -> None:
    """SELECT * meets a new column, and another order."""
    everything = ReadColumns()

    assert altered(everything, BASE, COSTS_NOTHING["a further column"]) == "added the column c"
    assert altered(everything, BASE, COSTS_NOTHING["another order"]) == "changed the order of its columns"
    assert altered(everything, BASE, COSTS_NOTHING["a comment"]) == ""


def test_fields_of_a_struct_count_at_any_depth() -> None:
    """A field more, another order or another type is another column."""
    deep = defined(field("a", array(struct(field("x"), field("y")))))
    for inner in (
        struct(field("y"), field("x")),
        struct(field("x"), field("y"), field("z")),
        struct(field("x", "long")),
    ):
        assert altered(ONLY_A, deep, defined(field("a", array(inner)))) == "changed the column a"
    assert altered(ONLY_A, deep, defined(field("a", array(struct(field("x", comment="w"), field("y")), False)))) == ""


READABLE = {
    "columns added": defined(A, B, field("c")),
    "columns in another order": defined(B, A),
    "comments": defined(field("a", comment="w"), B),
}
UNREADABLE = {
    "other partitions": (defined(A, B, partitions=("a",)), "partitioned it otherwise"),
    "a mapping": (defined(A, B, mode="name"), "mapped its columns otherwise"),
    "another type": (defined(field("a", "long"), B), "changed the column a"),
    "NULL forbidden": (defined(field("a", nullable=False), B), "changed the column a"),
    "a column dropped": (defined(A), "dropped the column b"),
    "a column that must not be NULL": (defined(A, B, field("c", nullable=False)), "added the column c NOT NULL"),
}


@pytest.mark.parametrize("latest", READABLE.values(), ids=list(READABLE))
def test_a_feed_reads_older_files_under_a_wider_definition(latest: Metadata) -> None:
    """Missing columns are NULL, all others are found by name."""
    assert unreadable_feed(BASE, latest) == ""


@pytest.mark.parametrize(("latest", "why"), UNREADABLE.values(), ids=list(UNREADABLE))
def test_a_feed_misreads_older_files_under_other_definitions(latest: Metadata, why: str) -> None:
    """Delta returns NULL for a partition column, or refuses to read."""
    assert unreadable_feed(BASE, latest) == why


def test_a_struct_may_gain_fields_and_nothing_else() -> None:
    """As a table may gain columns."""
    older = defined(field("a", struct(field("x"), field("y"))))

    assert unreadable_feed(older, defined(field("a", struct(field("x"), field("y"), field("z"))))) == ""
    assert unreadable_feed(older, defined(field("a", struct(field("x"))))) == "changed the column a"
    assert unreadable_feed(older, defined(field("a", struct(field("x"), field("y", "long"))))) == "changed the column a"
    assert unreadable_feed(older, defined(field("a", struct(field("x"), field("y"), field("z", nullable=False))))) == (
        "changed the column a"
    )
    assert unreadable_feed(defined(field("a", array("integer"))), defined(field("a", array("integer", False)))) != ""


# What a probe makes of it.


@pytest.fixture
def table(tmp_path: Path) -> LogBuilder:
    return LogBuilder(tmp_path / "t").create().append("f1", rows=10)


def since(table: LogBuilder, before: SourcePosition, read: ReadColumns = ONLY_A, until: int | None = None) -> Probe:
    return probe(DeltaLog(table.path, until), "s.t", before, read)


def position(table: LogBuilder) -> SourcePosition:
    return SourcePosition("one", table.version, table.clock)


def partitioned(*columns: str, table_id: str = "one") -> dict[str, Any]:
    action = metadata(table_id=table_id)
    action["metaData"]["partitionColumns"] = list(columns)
    return action


WIDER = (("a", "integer"), ("b", "string"), ("c", "long"))


def test_an_unread_column_costs_nothing(table: LogBuilder) -> None:
    """Adding it is maintenance, and the feed is read across it."""
    before = position(table)
    table.commit("ADD COLUMNS", metadata(fields=WIDER))
    alone = since(table, before)
    table.commit("UPDATE", remove("f1", 10), table.add("f2", 10))

    changed = since(table, before)

    assert kind(alone) is MaintenanceOnly
    assert (kind(changed), fed(changed), changed.changes and changed.changes.new_columns) == (
        Changed,
        True,
        frozenset({"c"}),
    )
    assert kind(since(table, before, ReadColumns())) is Altered


def test_the_rows_of_a_table_are_the_same_before_and_after_a_column_was_added(table: LogBuilder) -> None:
    """So results computed from either version are equal."""
    first = table.version
    table.commit("ADD COLUMNS", metadata(fields=WIDER))
    assert rows_until(DeltaLog(table.path), first) == table.version
    table.commit("CHANGE COLUMN", metadata(fields=(("a", "long"), *WIDER[1:])))
    assert rows_until(DeltaLog(table.path), first) == table.version - 1
    assert keeps_rows(BASE, COSTS_NOTHING["a further column"])
    assert not keeps_rows(COSTS_NOTHING["a further column"], BASE)


def test_a_replacement_that_partitions_otherwise_is_not_read_by_its_feed(table: LogBuilder) -> None:
    """The removed rows would come with NULL in the new partition column; with the same partitions they are right."""
    before = position(table)
    operation = "CREATE OR REPLACE TABLE AS SELECT"
    table.commit(operation, partitioned(table_id="two"), remove("f1", 10), table.add("f2", 5))
    alike = since(table, before)
    table.commit(operation, partitioned("a", table_id="three"), remove("f2", 5), table.add("f3", 5))

    other = since(table, before)

    assert (kind(alike), fed(alike)) == (Overwritten, True)
    assert (kind(other), fed(other)) == (Overwritten, False)
    assert other.happened.detail == f"version 2 is a {operation}, and version 3 partitioned it otherwise"


def test_a_reverted_definition_has_no_feed_either(table: LogBuilder) -> None:
    """The same definition at both ends is not enough: files in between have another one."""
    before = position(table)
    table.commit("REPLACE TABLE AS SELECT", partitioned("a"), remove("f1", 10), table.add("f2", 5))
    table.commit("REPLACE TABLE AS SELECT", partitioned(), remove("f2", 5), table.add("f3", 5))

    assert (kind(since(table, before)), fed(since(table, before))) == (Overwritten, False)


def test_a_restore_before_a_new_column_has_no_feed(table: LogBuilder) -> None:
    """Delta refuses the range: its newest definition lacks columns of the files in between."""
    before = position(table)
    table.commit("ADD COLUMNS", metadata(fields=WIDER))
    table.commit("WRITE", table.add("f2"))
    table.commit("RESTORE", metadata(), remove("f2"))

    answer = since(table, before)

    assert (kind(answer), fed(answer)) == (Overwritten, False)


@pytest.mark.parametrize(
    "later",
    [partitioned("b", table_id="two"), metadata(fields=(("a", "long"), ("b", "string"))), metadata(fields=WIDER[:1])],
    ids=["other partitions", "another type", "a column gone"],
)
def test_later_versions_matter_as_well(table: LogBuilder, later: dict[str, Any]) -> None:
    """Delta reads a feed under the newest definition, whichever version is requested."""
    before = position(table)
    table.commit("UPDATE", remove("f1", 10), table.add("f2", 10))
    read = table.version
    assert fed(since(table, before, until=read))
    table.commit("CREATE OR REPLACE TABLE AS SELECT", later, remove("f2", 10), table.add("f3", 1))

    answer = since(table, before, until=read)

    assert (kind(answer), fed(answer)) == (Altered, False)
    assert "version 3" in answer.happened.detail


def test_readers_that_must_know_more_are_other_readers(table: LogBuilder) -> None:
    """A feature of the writers alone changes nothing for who reads."""
    before = position(table)
    writers = {"protocol": {"minReaderVersion": 1, "minWriterVersion": 7, "writerFeatures": ["checkConstraints"]}}
    table.commit("ADD CONSTRAINT", writers)
    table.commit("UPDATE", remove("f1", 10), table.add("f2", 10))
    assert fed(since(table, before))
    readers = {"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["typeWidening"]}}
    table.commit("SET TBLPROPERTIES", readers)

    answer = since(table, before)

    assert (kind(answer), answer.happened.detail) == (Altered, "version 4 changed what its readers must know")


def test_an_append_across_a_mapping_is_read_through_the_table(tmp_path: Path) -> None:
    """Delta finds its columns; the feed would not have to be asked."""
    uuid = "part-0-0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f.parquet"
    table = LogBuilder(tmp_path / "t").create().append("f1")
    before = position(table)
    table.commit("SET TBLPROPERTIES", metadata(**{"delta.columnMapping.mode": "name"}))
    table.commit("WRITE", table.add(uuid))

    answer = since(table, before)

    assert (kind(answer), fed(answer), answer.changes is not None) == (Appended, False, True)
