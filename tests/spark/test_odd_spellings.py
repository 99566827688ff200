"""The answers recorded in tests/sql/odd_spellings.txt, and what the engine knows of functions, are Spark's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from tests.spark.test_spellings import COLUMNS
from tests.sql.test_odd_spellings import LINES
from trickle.functions import FUNCTIONS

pytestmark = [pytest.mark.spark, pytest.mark.night]


@pytest.fixture(scope="module")
def session(shared_warehouse: Path) -> EmbeddedSession:
    place = TrickleCredentials(schema="odd", warehouse=str(shared_warehouse), driver_memory="2g")
    session = EmbeddedSession(place, print)
    session.rows("CREATE DATABASE IF NOT EXISTS odd")
    session.rows("USE odd")
    session.rows(f"CREATE OR REPLACE TABLE odd.t ({COLUMNS}) USING delta")
    session.rows("CREATE OR REPLACE TABLE odd.u (i INT, s STRING, k INT) USING delta")
    return session


def refusal(session: EmbeddedSession, text: str) -> str:
    """What Spark says against it; nothing where it analyses the query."""
    try:
        assert session.spark.sql(text).schema is not None
    except (PySparkException, Py4JJavaError) as error:
        # Some of its own refusals come as they are in Java.
        return str(error)
    return ""


def test_the_recorded_answers_are_sparks(session: EmbeddedSession) -> None:
    """Each query is analysed, none is run."""
    found = {text: bool(refusal(session, text)) for _, text in LINES}
    assert {text for text, refused in found.items() if refused} == {
        text for answer, text in LINES if answer.startswith("refuses")
    }


def test_functions_take_as_many_values_as_the_engine_says(session: EmbeddedSession) -> None:
    """One fewer or one more than that is refused for the number."""
    wrong = []
    signatures = {name: own for name, function in FUNCTIONS.items() if (own := function.signature) is not None}
    for name, own in signatures.items():
        edges = [count for count in range(8) if own.takes(count) != own.takes(count + 1)]
        for count in sorted({*edges, *(edge + 1 for edge in edges)} - {8}):
            over = " OVER (ORDER BY i)" if name in ("lag", "lead", "ntile", "nth_value") else ""
            text = f"SELECT `{name}`({', '.join(['NULL'] * count)}){over} AS x FROM t"
            if own.takes(count) == ("WRONG_NUM_ARGS" in refusal(session, text)):
                wrong.append((name, count))
    assert wrong == []
