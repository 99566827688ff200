"""What Spark raises is the value that decisions are made by, whatever wraps it: a new release must give the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.ports import StatementFailed
from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from trickle import Failure
from trickle.planning.fallback import reason_to_recompute

pytestmark = pytest.mark.spark

MERGE = "MERGE INTO shop.t USING shop.u ON t.a = u.a WHEN MATCHED THEN UPDATE SET a = CAST({} AS BIGINT)"
STOP = "RAISE_ERROR('dbt-trickle [rows_run_out]: …')"
ENDLESS = "WITH RECURSIVE r AS (SELECT 1L AS n UNION ALL SELECT n + 1 FROM r WHERE n < 1000) SELECT n FROM r"
RECOMPUTED = {
    f"SELECT {STOP} FROM shop.t": "rows_run_out",
    f"INSERT OVERWRITE shop.t SELECT IF(a > 3, CAST({STOP} AS BIGINT), a) FROM shop.u": "rows_run_out",
    MERGE.format(STOP): "rows_run_out",
    "INSERT OVERWRITE shop.t SELECT a + 9223372036854775807 FROM shop.u": "bad_value",
    "INSERT OVERWRITE shop.t SELECT CAST(CONCAT('x', a) AS BIGINT) FROM shop.u": "bad_value",
    "INSERT OVERWRITE shop.t SELECT (SELECT a FROM shop.u) FROM shop.u": "bad_value",
    "INSERT OVERWRITE shop.t SELECT RAISE_ERROR('mine') FROM shop.u": "bad_value",
    f"INSERT OVERWRITE shop.t {ENDLESS}": "recursion_limit",
    f"SELECT {' + '.join(['a'] * 6000)} FROM shop.u": "statement_too_deep",
    f"SELECT {'(' * 3000}1{')' * 3000}": "statement_too_deep",
}
"""Statements that fail, and the reason for which the same run computes the table anew."""

NOT_THERE = {
    "DESCRIBE TABLE EXTENDED shop.nothing": "TABLE_OR_VIEW_NOT_FOUND",
    "DESCRIBE TABLE EXTENDED nothing.nothing": "TABLE_OR_VIEW_NOT_FOUND",
    "DESCRIBE QUERY SELECT * FROM parquet.`/nothing`": "PATH_NOT_FOUND",
    "DESCRIBE FUNCTION EXTENDED shop.nothing": "UNRESOLVED_ROUTINE",
    "DESCRIBE FUNCTION EXTENDED a.b.c": "REQUIRES_SINGLE_PART_NAMESPACE",
}


@pytest.fixture(scope="module")
def session(shared_warehouse: Path) -> EmbeddedSession:
    place = TrickleCredentials(schema="shop", warehouse=str(shared_warehouse), driver_memory="2g")
    session = EmbeddedSession(place, print)
    session.run("CREATE SCHEMA IF NOT EXISTS shop")
    for name in ("t", "u"):
        session.run(f"CREATE OR REPLACE TABLE shop.{name} USING DELTA AS SELECT id AS a FROM RANGE(10)")
    return session


def failure_of(session: EmbeddedSession, sql: str) -> Failure:
    with pytest.raises(StatementFailed) as failed:
        session.run(sql)
    assert failed.value.sql == sql
    return failed.value.failure


@pytest.mark.parametrize("sql", RECOMPUTED)
def test_a_foreseen_failure_has_its_reason(session: EmbeddedSession, sql: str) -> None:
    """Also where a task's failure to write wraps it, and where Java has no condition for it."""
    found = reason_to_recompute(failure_of(session, sql))

    assert found is not None
    assert found.code == RECOMPUTED[sql]


@pytest.mark.parametrize("sql", NOT_THERE)
def test_what_is_not_there_has_a_condition(session: EmbeddedSession, sql: str) -> None:
    """By which a catalog tells a missing name from a failure."""
    assert failure_of(session, sql).first(NOT_THERE[sql]) is not None


def test_an_unreadable_file_is_named(session: EmbeddedSession) -> None:
    """As a parameter, from a statement that writes, and from one that reads files by their paths."""
    session.run("CREATE OR REPLACE TABLE shop.damaged USING DELTA AS SELECT id AS a FROM RANGE(0, 10, 1, 1)")
    ((file,),) = session.rows("SELECT DISTINCT _metadata.file_path FROM shop.damaged")
    path = Path(str(file).removeprefix("file://").removeprefix("file:"))
    path.write_bytes(b"not what its name says")

    for sql in (f"SELECT * FROM parquet.`{path}`", "INSERT OVERWRITE shop.t SELECT a FROM shop.damaged"):
        found = failure_of(session, sql).first("FAILED_READ_FILE")
        assert found is not None
        assert path.name in found.parameters["path"]


def test_settings_are_restored_after_a_failure(session: EmbeddedSession) -> None:
    """Those that were set to what they were, the others to Spark's default."""
    before = dict(session.settings())
    zone, mark = "spark.sql.session.timeZone", "spark.databricks.delta.commitInfo.userMetadata"

    with pytest.raises(StatementFailed), session.with_settings({zone: "Asia/Tokyo", mark: "stamp"}):
        session.run("SELECT RAISE_ERROR('mine')")

    assert dict(session.settings()) == before
