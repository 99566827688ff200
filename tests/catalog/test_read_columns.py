"""Which columns of a source count for a model, and how a source's own columns may be called."""

from __future__ import annotations

import pytest

from tests.facts import compiled
from trickle import Column, Relation, SourcePosition, StreamTable, Table
from trickle.catalog.change_sources import AddedFiles, FeedRange, NamedFiles
from trickle.catalog.changed_rows import Changes
from trickle.catalog.read_columns import EVERY_COLUMN, ReadColumns
from trickle.catalog.reads import at_version, with_previous_columns
from trickle.plan.ranges import ColumnStatistics, Ranges
from trickle.sql.text import to_line

COLUMNS = tuple(Column(name, "int") for name in ("id", "a", "b"))
T = Table(("s", "t"), COLUMNS)
RELATIONS: dict[tuple[str, ...], Relation] = {("s", "t"): T, ("s", "u"): Table(("s", "u"), COLUMNS)}


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("SELECT id FROM s.t WHERE a > 1", ReadColumns(frozenset({"id", "a"}), by_position=False)),
        ("WITH c AS (SELECT * FROM s.t) SELECT id FROM c", ReadColumns(frozenset({"id"}))),
        ("SELECT x.q FROM s.t AS x(p, q, r)", ReadColumns(frozenset({"a"}))),
        ("SELECT a, COUNT(*) AS n FROM s.t GROUP BY a", ReadColumns(frozenset({"a"}), by_position=False)),
        ("SELECT * FROM s.t", ReadColumns(frozenset({"id", "a", "b"}))),
        ("SELECT t.id FROM s.t JOIN s.u ON u.id = t.b", ReadColumns(frozenset({"id", "b"}), by_position=False)),
        ("SELECT id FROM s.t ORDER BY a LIMIT 1", EVERY_COLUMN),
        ("SELECT id, UUID() AS u FROM s.t", EVERY_COLUMN),
    ],
)
def test_the_columns_that_decide_what_is_stored(text: str, read: ReadColumns) -> None:
    """Those the plan scans; all of them where the text is run whole, or where any of them may break a tie."""
    assert compiled(text, RELATIONS.get).reads_of("s.t") == read


def test_a_feed_calls_no_column_by_the_weight_s_name() -> None:
    """A source may have one; the weight stands beside it."""
    source = Table(("s", "t"), (Column("id", "int"), Column("__Trickle_Weight", "int")))

    text = to_line(FeedRange(1, 2).relation(source, ColumnStatistics()))

    assert "`__Trickle_Weight` AS `%5F_Trickle_Weight`" in text
    assert text.count("AS `__trickle_weight`") == 1


def test_appended_files_are_read_in_the_types_of_the_table() -> None:
    """By their paths; or through the table, where literals leave out the files that cannot hold them."""
    before = SourcePosition("t", 1, 1)
    lies = ColumnStatistics({"id": Ranges(((5, 9),), null=True), "gone": Ranges(((1, 1),))})

    by_path = to_line(Changes(before, AddedFiles(("/Data/p.parquet",))).relation(T, lies))
    by_name = to_line(Changes(before, NamedFiles(("p.parquet",), 2)).relation(T, lies))

    assert "CAST(`id` AS INT) AS `id`" in by_path
    assert "`parquet`.`/Data/p.parquet`" in by_path
    assert by_name.endswith(
        "FROM `s`.`t` VERSION AS OF 2 WHERE `_metadata`.`file_name` IN ('p.parquet') "
        "AND (`id` BETWEEN 5 AND 9 OR `id` IS NULL))"
    )


def test_all_files_that_were_added_are_named() -> None:
    """One name each, and no bound where nothing is known of their rows."""
    text = to_line(NamedFiles(("p.parquet", "it's.parquet"), 2).relation(T, ColumnStatistics()))

    assert text.endswith(r"WHERE `_metadata`.`file_name` IN ('p.parquet', 'it\'s.parquet'))")


def test_appended_rows_of_a_stream_table_are_read_from_its_storage() -> None:
    """The facade is a view. A row weighs its count, and a hidden one is none."""
    stream = StreamTable(("s", "m"), COLUMNS, ("s", "m__trickle"))
    text = to_line(NamedFiles(("p.parquet",), 2).relation(stream, ColumnStatistics({"id": Ranges(((5, 9),))})))

    assert text == (
        "(SELECT `id`, `a`, `b`, `__trickle_count` AS `__trickle_weight` FROM `s`.`m__trickle` VERSION AS OF 2"
        " WHERE `__trickle_count` <> 0 AND `_metadata`.`file_name` IN ('p.parquet'))"
    )


def test_a_column_that_came_later_is_not_asked_of_the_version_before() -> None:
    """A stream table's columns are named one by one, and the old version has not got it."""
    stream = StreamTable(("s", "m"), COLUMNS, ("s", "m__trickle"))
    feed_range = FeedRange(2, 2)
    changes = Changes(SourcePosition("m", 1, 1), feed_range, frozenset({"b"}))

    older = with_previous_columns(stream, changes)

    assert "`b`" not in to_line(at_version(older, 1)) + to_line(changes.relation(older))
    assert with_previous_columns(T, Changes(SourcePosition("t", 1, 1), feed_range)) is T
