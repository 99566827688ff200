"""Sessions of the embedded warehouse: isolated from each other, one catalog, answers as Spark means them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest
from dbt_common.exceptions import DbtDatabaseError

from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded import java_process
from dbt.adapters.trickle.warehouses.embedded import spark as warehouse
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import folders_of, table_path

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TrickleCredentials]:
    folder = tmp_path_factory.mktemp("a warehouse with spaces")
    credentials = TrickleCredentials(schema="shop", warehouse=str(folder), driver_memory="2g")
    EmbeddedSession(credentials, print).rows("create schema if not exists shop")
    yield credentials
    warehouse.close()


@pytest.fixture
def session(profile: TrickleCredentials) -> EmbeddedSession:
    return EmbeddedSession(profile, print)


@pytest.fixture
def other(profile: TrickleCredentials) -> EmbeddedSession:
    return EmbeddedSession(profile, print)


def test_opening_a_session_starts_nothing(profile: TrickleCredentials) -> None:
    """dbt opens connections it may never use."""
    session = EmbeddedSession(profile, print)

    session.cancel()
    session.close()


def test_settings_stay_in_their_session(session: EmbeddedSession, other: EmbeddedSession) -> None:
    """A model's SET, or a refresh's stamp, never reaches another model."""
    session.rows("set spark.databricks.delta.commitInfo.userMetadata = mine")
    session.set({"spark.sql.session.timeZone": "Asia/Tokyo"})

    assert other.spark.conf.get("spark.databricks.delta.commitInfo.userMetadata", "none") == "none"
    assert other.time_zone() == "UTC"


def test_temporary_views_stay_in_their_session(session: EmbeddedSession, other: EmbeddedSession) -> None:
    """Two incremental models may both call their staging view the same."""
    session.rows("create temporary view staging as select 1 as x")

    with pytest.raises(Exception, match="TABLE_OR_VIEW_NOT_FOUND"):
        other.rows("select * from staging")


def test_the_current_schema_stays_in_its_session(session: EmbeddedSession, other: EmbeddedSession) -> None:
    """A hook's USE must not send another model's tables elsewhere."""
    session.rows("use shop")

    assert other.rows("select current_schema()") == [("default",)]


def test_tables_are_shared(session: EmbeddedSession, other: EmbeddedSession) -> None:
    """One catalog: what one connection creates the next one reads."""
    session.rows("create table shop.shared using delta as select 1 as x")

    assert other.rows("select x from shop.shared") == [(1,)]


def test_a_table_lies_where_it_is_looked_for(session: EmbeddedSession, profile: TrickleCredentials) -> None:
    """The probe of a source reads the Delta log at the path computed without Spark."""
    session.rows("create table shop.Placed using delta as select 1 as x")

    assert (table_path(profile, "shop", "Placed") / "_delta_log").is_dir()


def test_new_tables_carry_a_change_feed(session: EmbeddedSession) -> None:
    """Seeds, plain tables and CREATE TABLE without USING are sources of stream tables without a word from the user."""
    session.rows("create table shop.fed as select 1 as x")

    properties = dict(session.rows("show tblproperties shop.fed"))

    assert properties["delta.enableChangeDataFeed"] == "true"


def test_ansi_is_on(session: EmbeddedSession) -> None:
    """Division by zero is an error, not a silent NULL; dbt-spark would switch that off."""
    with pytest.raises(Exception, match="DIVIDE_BY_ZERO"):
        session.rows("select 1 / 0")


def test_a_query_nobody_fetches_still_runs(session: EmbeddedSession) -> None:
    """Hooks select for the side effect, and Spark is lazy."""
    cursor = session.cursor()
    cursor.execute("select raise_error('it ran') from range(1)")

    with pytest.raises(Exception, match="it ran"):
        cursor.finish()


def test_a_schema_is_known_without_a_job(session: EmbeddedSession) -> None:
    """Only analysis: a query that would fail on its data still has a schema."""
    schema = session.columns("select cast(raise_error('ran') as decimal(10, 2)) as a, array(1) as b")

    assert schema == [("a", "decimal(10,2)"), ("b", "array<int>")]


def test_timestamps_are_shown_in_the_sessions_zone(session: EmbeddedSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the zone of the machine that happens to run Python, nested values included."""
    import time

    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        found = session.rows("select timestamp '2024-07-01 12:00:00' as t, array(timestamp '2024-01-01 00:00:00')")
    finally:
        monkeypatch.undo()
        time.tzset()

    assert found == [(datetime(2024, 7, 1, 12), [datetime(2024, 1, 1)])]


def test_transaction_words_do_nothing(session: EmbeddedSession) -> None:
    """dbt's hooks outside transactions say `commit;`, which Spark's grammar does not have."""
    assert session.rows("commit;") == []


def test_cancelling_ends_a_running_statement(session: EmbeddedSession) -> None:
    """And the connection starts nothing after it."""
    import threading

    threading.Timer(3, session.cancel).start()

    with pytest.raises(Exception, match=r"(?i)cancel"):
        session.rows("select count(*) from range(1000000000000) where sha2(cast(id as string), 512) > 'z'")
    with pytest.raises(DbtDatabaseError, match="Cancelled"):
        session.rows("select 1")


def test_sessions_work_at_the_same_time(profile: TrickleCredentials) -> None:
    """Four connections with the same view name and different settings each write their own rows."""

    def write(number: int) -> list[tuple[Any, str]]:
        session = EmbeddedSession(profile, print)
        session.rows(f"create temporary view mine as select {number} as n")
        session.set({"spark.databricks.delta.commitInfo.userMetadata": f"stamp {number}"})
        session.rows(f"create table shop.by_{number} using delta as select n from mine")
        (commit,) = session.rows(f"describe history shop.by_{number}")
        return [(row[0], commit.userMetadata) for row in session.rows(f"select n from shop.by_{number}")]

    with ThreadPoolExecutor(4) as pool:
        written = list(pool.map(write, range(4)))

    assert written == [[(number, f"stamp {number}")] for number in range(4)]


def test_no_commit_is_lost_when_two_write_to_one_table(profile: TrickleCredentials, session: EmbeddedSession) -> None:
    """A local disk renames over what is there: the log store's lock keeps the second writer from doing so."""
    session.rows("create table shop.both (writer int, step int) using delta")

    def write(number: int) -> None:
        own = EmbeddedSession(profile, print)
        for step in range(5):
            own.rows(f"insert into shop.both values ({number}, {step})")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, range(2)))

    written = sorted(tuple(row) for row in session.rows("select writer, step from shop.both"))
    assert written == [(number, step) for number in range(2) for step in range(5)]


def test_java_is_asked_to_open_what_spark_needs(session: EmbeddedSession) -> None:
    """Our list of module options is Spark's own; a new Spark that wants more must not go unnoticed."""
    jvm = session.spark.sparkContext._jvm  # noqa: SLF001 — Spark offers the list to Java only
    assert jvm is not None
    own = jvm.org.apache.spark.launcher.JavaModuleOptions.defaultModuleOptions().split()

    assert set(own) == set(java_process.MODULE_OPTIONS)


def test_nothing_lies_outside_the_folder(
    profile: TrickleCredentials, session: EmbeddedSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The catalog's database, its log and Spark's files all lie in the warehouse."""
    layout = folders_of(profile)

    assert (layout.metastore / "service.properties").is_file()
    assert (layout.logs / "derby.log").is_file()
    assert layout.spark_log.is_file()


def test_another_warehouse_replaces_the_running_one(
    profile: TrickleCredentials, tmp_path: pytest.TempPathFactory
) -> None:
    """One process may run dbt on several projects, one after the other, and come back."""
    EmbeddedSession(profile, print).rows("create table if not exists shop.kept using delta as select 1 as x")
    elsewhere = TrickleCredentials(schema="shop", warehouse=str(tmp_path), driver_memory="2g")

    assert EmbeddedSession(elsewhere, print).rows("show databases") == [("default",)]
    assert EmbeddedSession(profile, print).rows("select x from shop.kept") == [(1,)]
