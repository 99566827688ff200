"""Whatever Spark can spell is printed as it reads it: what the parser mistakes is recomputed for nothing.

spellings.txt holds a query a line, over the table below: operators, literals, functions with a syntax of their own,
clauses. A new sqlglot is tried on them before it is taken.
"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from dbt.adapters.trickle.catalog.analyst import SparkAnalyst
from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from trickle.sql.parse import parse_select
from trickle.sql.text import to_text

pytestmark = [pytest.mark.spark, pytest.mark.night]

COLUMNS = """
    i INT, b BIGINT, d DECIMAL(10, 2), f DOUBLE, s STRING, dt DATE, ts TIMESTAMP, z BOOLEAN, a ARRAY<INT>,
    m MAP<STRING, INT>, st STRUCT<x: INT, y: STRING>, bin BINARY, sts ARRAY<STRUCT<x: INT, y: STRING>>, js STRING,
    v VARIANT
"""
SPELLINGS = [line for line in (Path(__file__).parent / "spellings.txt").read_text().splitlines() if line.strip()]


@pytest.fixture(scope="module")
def analyst(shared_warehouse: Path) -> SparkAnalyst:
    place = TrickleCredentials(schema="shop", warehouse=str(shared_warehouse), driver_memory="2g")
    session = EmbeddedSession(place, print)
    session.rows("CREATE DATABASE IF NOT EXISTS shop")
    session.rows(f"CREATE OR REPLACE TABLE shop.spelt ({COLUMNS}) USING delta")
    session.rows("CREATE OR REPLACE TEMPORARY VIEW t AS SELECT * FROM shop.spelt")
    return SparkAnalyst(session, lambda _: nullcontext())


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_spelling_is_read_as_spark_reads_it(text: str, analyst: SparkAnalyst) -> None:
    """Ours and the text are one plan to Spark."""
    assert analyst.same_meaning(text, to_text(parse_select(text), pretty=False))
