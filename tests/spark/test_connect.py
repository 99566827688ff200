"""Spark Connect is a session like the embedded one: the same executor, the same runner, the same results."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dbt.adapters.trickle.cli.verify.case_file import read_cases
from dbt.adapters.trickle.cli.verify.connect import ConnectRing
from dbt.adapters.trickle.cli.verify.run import Verdict, run_scenario
from dbt.adapters.trickle.history.delta_files import last_stamp
from dbt.adapters.trickle.history.sql_history import SqlHistory
from dbt.adapters.trickle.ports import StatementFailed
from dbt.adapters.trickle.warehouses.connect.session import ConnectSession
from tests.spark.connect_server import connect_server
from trickle import Stamp

pytestmark = pytest.mark.spark

CASE = Path(__file__).with_name("connect.case")
CLIENT = """
import sys
from dbt.adapters.trickle.warehouses.connect.session import ConnectSession
session = ConnectSession(sys.argv[1])
print(session.rows("select 1")[0][0], session.another().rows("select 2")[0][0])
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with connect_server(tmp_path_factory.mktemp("connect")) as address:
        yield address


@pytest.fixture
def session(address: str) -> Iterator[ConnectSession]:
    session = ConnectSession(address)
    yield session
    session.close()


class KeptRing(ConnectRing):
    """A ring that keeps what the storages' commits say, which end with their schemas."""

    stamps: dict[int, Stamp]
    operations: dict[int, str]

    def end(self) -> None:
        history = self.history(self._schema, "totals__trickle")
        stamped = {version: last_stamp(history.at(version)) for version in sorted(history.versions)}
        self.stamps = {version: one.stamp for version, one in stamped.items() if one and one.commit.version == version}
        self.operations = {version: history.commit(version).operation for version in self.stamps}
        super().end()


def test_a_case_is_exact_over_connect(address: str) -> None:
    """Every refresh equals its query and the case's rows, its stamp is in its commit, and a failure leads to a FULL.

    The case's rows are what every ring must answer, the embedded session's among them.
    """
    ring = KeptRing(address)
    try:
        (scenario,) = read_cases(CASE)
        outcome = run_scenario(scenario, ring, all_ways=False)
    finally:
        ring.close()
    assert outcome.verdict is Verdict.EXACT, outcome.detail
    stamps = [ring.stamps[version] for version in sorted(ring.stamps)]
    assert [stamp.refresh for stamp in stamps] == [1, 2, 3, 4]
    assert [stamp.reason for stamp in stamps].count("bad_value") == 1
    assert stamps[2].reason == "bad_value" and stamps[2].action == "FULL"
    assert "MERGE" in ring.operations.values()


def test_a_failure_has_its_condition_and_its_causes(session: ConnectSession) -> None:
    """Spark's own name for it, its SQLSTATE and parameters, and what failed inside of a task."""
    with pytest.raises(StatementFailed) as divided:
        session.rows("select 1 / 0")
    session.run("create table failing using delta as select cast(id as int) as a from range(3)")
    with pytest.raises(StatementFailed) as written:
        session.run("insert into failing select a * 2000000000L from failing")
    failure = written.value.failure
    assert (divided.value.failure.condition, divided.value.failure.sqlstate) == ("DIVIDE_BY_ZERO", "22012")
    assert failure.condition == "TASK_WRITE_FAILED"
    assert [cause.condition for cause in failure.causes] == ["CAST_OVERFLOW_IN_TABLE_INSERT"]
    assert failure.message.startswith("[CAST_OVERFLOW_IN_TABLE_INSERT]")
    assert "JVM stacktrace" not in failure.message


def test_settings_and_parts_are_a_session_s_own(session: ConnectSession) -> None:
    """Settings last as long as their block; a computed part is rows and nothing else until it is forgotten."""
    other = session.another()
    try:
        with session.with_settings({"spark.sql.session.timeZone": "Asia/Tokyo"}):
            inside = session.rows("select current_timezone()"), other.rows("select current_timezone()")
        session.run("create table counted using delta as select 1 as a")
        session.compute("part", "select a from counted")
        outcome = session.run("update counted set a = 2")
        rows = session.rows("select a from part")
        with pytest.raises(StatementFailed) as unknown:
            other.rows("select * from part")
        session.forget("part")
        session.forget("part")
    finally:
        other.close()
    assert [rows[0][0] for rows in inside] == ["Asia/Tokyo", "UTC"]
    assert session.rows("select current_timezone()")[0][0] == "UTC"
    assert (outcome.affected_rows, rows[0][0]) == (1, 1)
    assert unknown.value.failure.condition == "TABLE_OR_VIEW_NOT_FOUND"


def test_a_history_by_sql(session: ConnectSession) -> None:
    """What a table was and what was done to it, without a file of it."""
    assert not SqlHistory(session, "nobody").exists
    session.run("create table told (a int, b string) using delta tblproperties ('x' = 'y')")
    session.run("insert into told values (1, 'x')")
    session.run("alter table told add columns (c date)")
    session.run("delete from told where a = 1")
    history = SqlHistory(session, "told")
    commits = [history.commit(version) for version in sorted(history.versions)]
    assert [commit.operation for commit in commits] == ["CREATE TABLE", "WRITE", "ADD COLUMNS", "DELETE"]
    assert [(bool(commit.added), bool(commit.removed)) for commit in commits] == [
        (False, False),
        (True, False),
        (False, False),
        (False, True),
    ]
    assert [commit.metadata is not None for commit in commits] == [True, False, True, False]
    assert [column.type for column in history.definition(3).columns] == ["int", "string", "date"]
    assert [column.name for column in history.definition(1).columns] == ["a", "b"]
    assert history.definition(3).properties["x"] == "y"
    assert history.at(1).latest == 1
    assert commits[0].committed_at < commits[3].committed_at


def test_a_client_ends_with_sessions_open(address: str) -> None:
    """Whoever forgets to close a session does not wait for the server at the end."""
    ended = subprocess.run([sys.executable, "-c", CLIENT, address], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "1 2\n")
