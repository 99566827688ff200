"""Sources whose files are known are read by them: under names given first, and only where they are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import duckdb
import pytest

from tests.facts import compiled
from tests.snapshots.shop import CONTRACT, last_stamp, probes, resolve
from trickle import (
    Action,
    Column,
    Options,
    Probe,
    RefreshMode,
    RefreshPlan,
    Request,
    SourcePosition,
    StreamTable,
    Table,
    Target,
    plan_refresh,
)
from trickle.apply import materialized_parts
from trickle.apply.price import Rates
from trickle.apply.step_sql import step_sql
from trickle.apply.steps import Create, Kind, NameFiles, Stage, Write
from trickle.apply.target import STORED_FILES
from trickle.catalog.happened import Appended, Changed, Unchanged
from trickle.catalog.source_files import DataFiles, FileRows, Positions, SourceFiles, changes_in, rows_in
from trickle.planning.named_files import name_of_files, with_named_files
from trickle.sql.text import to_line

ROWS = "SELECT order_id, amount FROM shop.orders WHERE status = 'paid'"
TOTALS = "SELECT customer_id, SUM(amount) AS total FROM shop.orders GROUP BY customer_id"
MEDIANS = "SELECT customer_id, MEDIAN(amount) AS middle FROM shop.orders GROUP BY customer_id"
JOINED = "SELECT o.order_id, c.name FROM shop.orders AS o JOIN shop.customers AS c USING (customer_id)"
RANDOM = "SELECT order_id, RAND() AS r FROM shop.orders"
TARGET = Target(("shop", "m"), ("shop", "m__trickle"), rows=1_000, exists=True)
COLUMNS = (Column("customer_id", "bigint"), Column("amount", "decimal(10,2)"))
READ = re.compile(r"`(__trickle_files_\w+)`")


def files_of(source: str, moment: str) -> DataFiles:
    return DataFiles((f"/w/{source}/{moment}-1.parquet", f"/w/{source}/{moment}-2.parquet"), COLUMNS)


def every_file(source: str) -> SourceFiles:
    return SourceFiles(*(files_of(source, moment) for moment in ("now", "before", "change")))


def planned(
    query: str,
    happened: Mapping[str, type[object]],
    mode: RefreshMode = RefreshMode.INCREMENTAL,
    known: Mapping[str, SourceFiles] | None = None,
    target: Target = TARGET,
    rates: Rates | None = None,
    full_refresh: bool = False,
) -> RefreshPlan:
    """The plan, where the files of every source are known for every moment."""
    view = compiled(query, resolve, None, Options(refresh_mode=mode))
    seen = {
        name: replace(probe, files=every_file(name) if known is None else known.get(name, SourceFiles()))
        for name, probe in probes(view, happened).items()
    }
    request = Request("model.shop.m", 2_000, CONTRACT, full_refresh, rates=rates or Rates())
    return plan_refresh(view, target, last_stamp(view), seen, request)


def named(plan: RefreshPlan) -> dict[str, tuple[str, ...]]:
    return {step.name: step.files.paths for step in plan.steps if isinstance(step, NameFiles)}


def read(plan: RefreshPlan) -> set[str]:
    """The names of files that the plan's statements read."""
    return {name for step in plan.steps if not isinstance(step, NameFiles) for name in READ.findall(step_sql(step))}


def names(*sources_and_moments: tuple[int, str]) -> list[str]:
    return [name_of_files(*one) for one in sources_and_moments]


@pytest.mark.parametrize(
    ("query", "happened", "files"),
    [
        (ROWS, {"shop.orders": Appended}, names((1, "change"))),
        (ROWS, {"shop.orders": Changed}, names((1, "change"))),
        (TOTALS, {"shop.orders": Appended}, names((1, "change"))),
        (MEDIANS, {"shop.orders": Changed}, names((1, "now"), (1, "change"))),
        (JOINED, {"shop.orders": Appended}, names((1, "change"), (2, "now"))),
        (JOINED, {"shop.customers": Appended}, names((1, "now"), (2, "change"))),
        (
            JOINED,
            {"shop.orders": Changed, "shop.customers": Appended},
            names((1, "before"), (1, "change"), (2, "now"), (2, "change")),
        ),
    ],
    ids=["rows appended", "rows changed", "totals", "groups read again", "left side", "right side", "both sides"],
)
def test_exactly_the_files_that_are_read_are_named(
    query: str, happened: Mapping[str, type[object]], files: list[str]
) -> None:
    """Each with its own paths; a table that a statement does not read costs nothing."""
    plan = planned(query, happened)
    by_name = {1: "shop.orders", 2: "shop.customers"}

    assert list(named(plan)) == files
    assert read(plan) == set(files)
    for name, paths in named(plan).items():
        number, moment = name.removeprefix("__trickle_files_").split("_")
        assert paths == files_of(by_name[int(number)], moment).paths
    assert all(step.files.columns == COLUMNS for step in plan.steps if isinstance(step, NameFiles))


def test_names_come_before_all_that_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stages read files as well. Here whatever is read twice is a stage."""
    monkeypatch.setattr(materialized_parts, "MANY", 2)
    monkeypatch.setattr(materialized_parts, "WORTH", 1)
    query = f"SELECT a.customer_id, a.total FROM ({TOTALS}) AS a JOIN ({TOTALS}) AS b USING (customer_id)"

    plan = planned(query, {"shop.orders": Changed})
    kinds = [type(step) for step in plan.steps if isinstance(step, (NameFiles, Stage, Write))]

    assert kinds == sorted(kinds, key=[NameFiles, Stage, Write].index)
    assert {*kinds} == {NameFiles, Stage, Write}
    assert read(plan) == {*named(plan)}
    assert any(READ.search(stage.query) for stage in plan.stages)
    assert set(plan.temporary_names) == {*named(plan), *(stage.name for stage in plan.stages)}


def test_what_has_no_known_files_is_read_through_delta() -> None:
    """One set of files at a time: whatever is missing is read by its version, or from the feed."""
    known = {"shop.orders": SourceFiles(before=files_of("shop.orders", "before"))}

    plan = planned(JOINED, {"shop.orders": Changed, "shop.customers": Changed}, known=known)
    text = "\n".join(map(step_sql, plan.steps))

    assert list(named(plan)) == names((1, "before"))
    assert "TABLE_CHANGES('`shop`.`orders`', 8, 9)" in text
    assert "`shop`.`customers` VERSION AS OF 6" in text
    assert "`shop`.`orders` VERSION AS OF" not in text


def test_without_known_files_nothing_is_named() -> None:
    """The plan is the one it always was."""
    plan = planned(JOINED, {"shop.orders": Changed}, known={})

    assert (named(plan), read(plan), plan.temporary_names) == ({}, set(), ())


def test_recomputing_reads_the_same_files() -> None:
    """The model's own text with the sources' names in it replaced: the rows of the pinned version, no others."""
    plan = planned(RANDOM, {"shop.orders": Changed}, RefreshMode.AUTO)
    text = "\n".join(map(step_sql, plan.steps))

    assert plan.action is Action.FULL
    assert list(named(plan)) == names((1, "now"))
    assert read(plan) == set(named(plan))
    assert "`shop`.`orders`" not in text


@pytest.mark.parametrize(
    "query", [ROWS, TOTALS, MEDIANS, JOINED, f"{TOTALS} ORDER BY total LIMIT 2", f"{ROWS} LIMIT 3"]
)
def test_a_table_built_anew_reads_nothing_that_is_not_named(query: str) -> None:
    """Files are named before the table is made, whatever is stored in it."""
    plan = planned(query, {"shop.orders": Appended}, full_refresh=True)
    kinds = [type(step) for step in plan.steps]

    assert plan.creates
    assert kinds.index(NameFiles) < kinds.index(Create)
    assert read(plan) == set(named(plan)) >= {name_of_files(1, "now")}


def test_recomputing_groups_names_the_files_it_reads() -> None:
    """States are computed by a statement of ours."""
    plan = planned(TOTALS, {"shop.orders": Changed}, RefreshMode.FULL)

    assert plan.strategy == "overwrite_all"
    assert list(named(plan)) == names((1, "now"))
    assert read(plan) == set(named(plan))


def test_the_stored_rows_have_a_name_where_their_files_are_known() -> None:
    """Only in statements that read them: a MERGE finds its rows by itself."""
    stored = replace(TARGET, paths=("/w/m/a.parquet",), columns=(Column("__trickle_count", "bigint"),))

    overwritten = planned(TOTALS, {"shop.orders": Changed}, target=stored, known={}, rates=Rates(merge=1e6))
    appended = planned(ROWS, {"shop.orders": Appended}, target=stored, known={})

    assert (overwritten.strategy, appended.strategy) == ("overwrite", "append")
    assert named(overwritten) == {STORED_FILES: ("/w/m/a.parquet",)}
    assert read(overwritten) == {STORED_FILES}
    assert named(appended) == {}


def test_names_of_many_sources_are_told_apart() -> None:
    """One name is the beginning of another: the quotes end it."""
    query = " UNION ALL ".join(f"SELECT a FROM s.t{number}" for number in range(1, 12))
    view = compiled(query, lambda name: Table(name, (Column("a", "int"),)))
    position = SourcePosition("one", 3, 1_000)
    seen = {
        source.name: Probe(source.name, position, Unchanged(), files=every_file(source.name)) for source in view.sources
    }
    last = name_of_files(11, "now")

    steps = with_named_files(view, TARGET, seen, [Write(Kind.APPEND, f"INSERT INTO m SELECT * FROM `{last}`", "")])

    assert [step.name for step in steps if isinstance(step, NameFiles)] == [last]


FILES = "CREATE TABLE files AS SELECT * FROM (VALUES (1, 2), (1, 1), (7, 0)) AS t(a, __trickle_count)"
PLAIN = Table(("s", "t"), (Column("a", "int"), Column("b", "date")))
STREAM = StreamTable(("s", "m"), (Column("a", "int"),), ("s", "m__trickle"))


def rows(text: str) -> list[tuple[object, ...]]:
    database = duckdb.connect()
    database.execute(FILES)
    return database.execute(text).fetchall()


def test_rows_of_a_stream_table_are_repeated_by_their_count() -> None:
    """Two equal rows may be stored once; what HAVING hides has count 0."""
    text = to_line(rows_in(STREAM, "files"))

    assert "LATERAL VIEW EXPLODE(ARRAY_REPEAT(0, CAST(`__trickle_count` AS INT)))" in text
    assert text.startswith("(SELECT `a` FROM `files` LATERAL VIEW")


def test_changes_of_a_stream_table_weigh_their_count() -> None:
    """They are not repeated; a row that is hidden is none."""
    text = changes_in(STREAM, "files", signed=False).sql("duckdb")

    assert rows(f"SELECT a, __trickle_weight FROM {text} AS t") == [(1, 2), (1, 1)]


def test_rows_of_any_other_table_are_as_many_as_they_are() -> None:
    """Each weighs one where it was added."""
    assert to_line(rows_in(PLAIN, "files")) == "(SELECT `a`, `b` FROM `files`)"
    assert to_line(changes_in(PLAIN, "files", False)) == "(SELECT `a`, `b`, 1 AS `__trickle_weight` FROM `files`)"


def test_columns_that_look_like_ours_keep_their_names() -> None:
    """A user's text calls them as the facade does; only a feed, which has hidden columns beside them, may not."""
    stream = replace(STREAM, columns=(Column("__trickle_count", "int"),))

    assert "SELECT `%5F_trickle_count` AS `__trickle_count` FROM" in to_line(rows_in(stream, "files"))
    assert to_line(rows_in(replace(PLAIN, columns=(Column("__trickle_x", "int"),)), "files")) == (
        "(SELECT `__trickle_x` FROM `files`)"
    )
    assert "SELECT `%5F_trickle_count`, " in to_line(changes_in(stream, "files", signed=False))


def test_rows_that_came_and_went_say_so_themselves() -> None:
    """The weight is in the files' own relation; a stream table's rows weigh their count as often."""
    items = "`a`, `b`, `__trickle_weight` AS `__trickle_weight`"
    assert to_line(changes_in(PLAIN, "files", signed=True)) == f"(SELECT {items} FROM `files`)"
    assert "`__trickle_weight` * `__trickle_count` AS `__trickle_weight`" in to_line(changes_in(STREAM, "files", True))


def test_a_stream_table_below_is_read_by_its_files() -> None:
    """Its storage's, in a plan; the other side is a table."""
    query = "SELECT o.order_id, c.name FROM shop.paid_orders AS o JOIN shop.customers AS c USING (customer_id)"
    plan = planned(query, {"shop.customers": Appended})
    (write,) = plan.writes

    assert list(named(plan)) == names((1, "now"), (2, "change"))
    assert "ARRAY_REPEAT(0, CAST(`__trickle_count` AS INT))" in step_sql(write)
    assert "paid_orders__trickle" not in step_sql(write)


def test_names_of_files_are_a_view_in_print() -> None:
    """What is shown of the step; the session is given paths and columns themselves."""
    few = FileRows("/w/c.parquet", without=Positions(3), only=Positions(5), weight=-1)
    most = FileRows("/w/d.parquet", without=Positions(7))
    files = DataFiles(("/w/it's/a.parquet", "/w/b.parquet"), COLUMNS, (few, most), ("/w/cdc.parquet",), signed=True)
    step = NameFiles("__trickle_files_1_now", files)

    assert step_sql(step).startswith("CREATE TEMPORARY VIEW `__trickle_files_1_now` (`customer_id` BIGINT, ")
    assert "`amount` DECIMAL(10, 2)) USING PARQUET" in step_sql(step)
    assert r"/w/it\'s/a.parquet, /w/b.parquet, /w/c.parquet (5 rows, but for 3), " in step_sql(step)
    assert "/w/d.parquet (but for 7 rows), /w/cdc.parquet (change feed)" in step_sql(step)
    assert step.kind == "files"
