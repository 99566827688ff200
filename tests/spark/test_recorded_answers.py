"""Spark still answers what is recorded of it: the record is what plans are held against without Spark."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from dbt_common.exceptions import DbtBaseException

from dbt.adapters.trickle.ports import StatementFailed
from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded import spark as warehouse
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from tests.oracle.recorded import ROWS, TYPES, as_text, recorded

pytestmark = [pytest.mark.spark, pytest.mark.night]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedSession]:
    folder = str(tmp_path_factory.mktemp("warehouse"))
    session = EmbeddedSession(TrickleCredentials(schema="answers", warehouse=folder, driver_memory="2g"), print)
    for name, rows in ROWS.items():
        columns = enumerate(TYPES[name].items(), 1)
        typed = ", ".join(f"CAST(col{place} AS {kind}) AS {one}" for place, (one, kind) in columns)
        values = ", ".join(f"({', '.join(_literal(value) for value in row)})" for row in rows)
        session.rows(f"CREATE TEMPORARY VIEW {name} AS SELECT {typed} FROM VALUES {values}")
    yield session
    warehouse.close()


def test_spark_answers_what_is_recorded(session: EmbeddedSession) -> None:
    """One by one, so that all that differ are told."""
    differing = [one.sql for one in recorded() if _answer(session, one.sql) != one.rows]

    assert not differing


def _answer(session: EmbeddedSession, query: str) -> tuple[tuple[str, ...], ...] | None:
    try:
        return as_text(session.rows(query))
    except (StatementFailed, DbtBaseException):
        return None


def _literal(value: object) -> str:
    return "NULL" if value is None else f"'{value}'" if isinstance(value, str) else str(value)
