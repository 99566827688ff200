"""The catalog's answers from the run before: given while its files are untouched, and not one statement longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.catalog.spark_catalog import entry_question
from dbt.adapters.trickle.warehouses.embedded.catalog_cache import (
    SCHEMAS,
    CatalogCache,
    Rows,
    fingerprint,
    listing_of,
)
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders

LISTING = listing_of("Shop")
ENTRY = entry_question(("shop", "orders"))
VIEW = [["id", "int", None], ["Type", "VIEW", ""]]
ANSWERS: dict[str, Rows] = {
    SCHEMAS: [["default"], ["shop"]],
    LISTING: [["shop", "orders", False, "Type: VIEW"]],
    ENTRY: VIEW,
}


@pytest.fixture
def folders(tmp_path: Path) -> WarehouseFolders:
    """A warehouse with a catalog of two files, as a run has left it."""
    folders = WarehouseFolders(tmp_path)
    for name in ("log/log1.dat", "seg0/c10.dat", "db.lck"):
        file = folders.metastore / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    ended(folders)
    return folders


def ended(folders: WarehouseFolders, catalog: CatalogCache | None = None) -> list[str]:
    """A run with Spark comes to its end. Returns what it asked again."""
    asked: list[str] = []

    def ask(question: str) -> Rows | None:
        asked.append(question)
        return ANSWERS.get(question)

    if catalog is None:
        catalog = started(folders)
        for question, rows in ANSWERS.items():
            catalog.note(question, rows)
    catalog.save(ask)
    return asked


def started(folders: WarehouseFolders) -> CatalogCache:
    catalog = CatalogCache()
    catalog.begin(folders)
    catalog.starts(folders)
    return catalog


def begun(folders: WarehouseFolders) -> CatalogCache:
    catalog = CatalogCache()
    catalog.begin(folders)
    return catalog


@pytest.mark.parametrize("question", ANSWERS)
def test_the_next_run_is_answered(folders: WarehouseFolders, question: str) -> None:
    assert begun(folders).answer(question) == ANSWERS[question]


def test_other_questions_are_not(folders: WarehouseFolders) -> None:
    assert begun(folders).answer(listing_of("other")) is None


def test_a_lock_file_does_not_count(folders: WarehouseFolders) -> None:
    """It tells who has the catalog open, not what is in it."""
    (folders.metastore / "db.lck").unlink()
    assert begun(folders).answer(SCHEMAS) is not None


@pytest.mark.parametrize("change", ["log/log1.dat", "seg0/c20.dat"])
def test_whoever_writes_to_the_catalog_ends_it(folders: WarehouseFolders, change: str) -> None:
    """An old file or a new one, before the run or during it."""
    during = begun(folders)
    assert during.answer(SCHEMAS) is not None
    (folders.metastore / change).write_text("something else")

    assert during.answer(LISTING) is None
    assert begun(folders).answer(SCHEMAS) is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"fingerprint": 1}', "null", '{"fingerprint": "", "answers": {}}'])
def test_a_damaged_file_is_ignored(folders: WarehouseFolders, content: str) -> None:
    folders.catalog_answers.write_text(content)
    assert begun(folders).answer(SCHEMAS) is None


def test_no_file_and_no_catalog_are_no_answer(folders: WarehouseFolders, tmp_path: Path) -> None:
    folders.catalog_answers.unlink()
    assert begun(folders).answer(SCHEMAS) is None
    assert fingerprint(WarehouseFolders(tmp_path / "nowhere")) == ""
    assert begun(WarehouseFolders(tmp_path / "nowhere")).answer(SCHEMAS) is None


def test_nothing_is_answered_once_spark_runs(folders: WarehouseFolders) -> None:
    """From then on Spark itself is asked, in later runs of the same process too."""
    catalog = begun(folders)
    catalog.starts(folders)
    assert catalog.answer(SCHEMAS) is None
    catalog.begin(folders)
    assert catalog.answer(SCHEMAS) is None


def test_what_was_relied_upon_is_asked_again_when_another_process_came_between(folders: WarehouseFolders) -> None:
    """It had the warehouse after the listing and before this process started Spark. Said once."""
    catalog = begun(folders)
    assert catalog.answer(LISTING) is not None
    (folders.metastore / "log" / "log1.dat").write_text("a table more")
    catalog.starts(folders)

    assert catalog.is_outdated()
    assert not catalog.is_outdated()


def test_starting_spark_in_an_untouched_catalog_outdates_nothing(folders: WarehouseFolders) -> None:
    catalog = begun(folders)
    assert catalog.answer(LISTING) is not None
    catalog.starts(folders)
    assert not catalog.is_outdated()


@pytest.mark.parametrize(
    "statement, asked",
    [
        ("select 1", []),
        ("/* {app: dbt} */ merge into `shop`.`t` using s on true", []),
        ("-- why\nINSERT INTO t VALUES (1)", []),
        ("(select 1)", []),
        ("create or replace view v as select 1", [SCHEMAS, LISTING, ENTRY]),
        ("/* x */ DROP TABLE t", [SCHEMAS, LISTING, ENTRY]),
        ("alter table t set tblproperties (a = 1)", [SCHEMAS, LISTING, ENTRY]),
        ("call something()", [SCHEMAS, LISTING, ENTRY]),
    ],
)
def test_what_a_statement_may_have_changed_is_asked_again(
    folders: WarehouseFolders, statement: str, asked: list[str]
) -> None:
    """At the end of the run. Statements that are known to leave the catalog alone cost nothing."""
    catalog = started(folders)
    for question, rows in ANSWERS.items():
        catalog.note(question, rows)
    catalog.ran(statement)

    assert ended(folders, catalog) == asked
    assert begun(folders).answer(ENTRY) == VIEW


def test_a_run_that_builds_tables_asks_nothing_again(folders: WarehouseFolders) -> None:
    """The next one like it starts Spark anyway."""
    catalog = started(folders)
    catalog.note(SCHEMAS, ANSWERS[SCHEMAS])
    catalog.ran("create table t (a int)")
    catalog.mixed()
    (folders.metastore / "log" / "log1.dat").write_text("a table more")

    assert ended(folders, catalog) == []
    assert begun(folders).answer(SCHEMAS) is None


def test_only_views_are_kept_among_entries(folders: WarehouseFolders) -> None:
    """What DESCRIBE says of a table may come from its log, which other programs write."""
    table = entry_question(("shop", "table"))
    catalog = started(folders)
    catalog.want(table)
    catalog.save(lambda question: [["id", "int", None], ["Type", "MANAGED", ""]])

    assert begun(folders).answer(table) is None


def test_a_run_without_spark_keeps_what_there_is(folders: WarehouseFolders) -> None:
    """It has asked Spark nothing, and writes nothing."""
    before = folders.catalog_answers.read_bytes()
    catalog = begun(folders)
    assert catalog.answer(SCHEMAS) is not None

    assert ended(folders, catalog) == []
    assert folders.catalog_answers.read_bytes() == before
