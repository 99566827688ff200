"""Spark is asked whether it reads a query as we do: yes where it is only written otherwise, no for another one."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from dbt.adapters.trickle.catalog.analyst import SparkAnalyst
from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from trickle import InvalidView
from trickle.sql.parse import parse_select
from trickle.sql.text import to_text

pytestmark = pytest.mark.spark

READ = (
    "SELECT a.x FROM a, b WHERE a.id = b.id",
    "SELECT a.x FROM a, b, c WHERE a.id = b.id AND b.x = c.x AND c.id > 1",
    "SELECT a.x FROM a, b LEFT JOIN c ON c.id = b.id WHERE a.id = b.id",
    "SELECT * FROM a, LATERAL (SELECT MAX(b.x) AS m FROM b WHERE b.id = a.id) AS t",
    "SELECT COUNT(*) FROM a, b",
    "SELECT x, COUNT_IF(d IS NOT NULL) AS n FROM a GROUP BY x",
    "SELECT id, x FROM a QUALIFY ROW_NUMBER() OVER (PARTITION BY x ORDER BY id) = 1",
    "SELECT x, COUNT(DISTINCT id) AS i, COUNT(DISTINCT d) AS d, SUM(DISTINCT id + 1) AS s FROM a GROUP BY x",
    "WITH q AS (SELECT x, id FROM a WHERE id > 1) SELECT q.x, COUNT(DISTINCT q.id) AS i, COUNT(DISTINCT r.id + 1) AS j "
    "FROM q JOIN q AS r ON q.x = r.x GROUP BY q.x",
    "SELECT x FROM a WHERE d >= DATE '2024-01-01' - interval '3' month AND id IN (SELECT b.id FROM b, c)",
    "SELECT x, d IS NOT NULL AS told, COUNT(*) FROM a GROUP BY x, d IS NOT NULL WITH CUBE",
    "WITH q AS (SELECT x FROM a), r AS (WITH q AS (SELECT x FROM b) SELECT COUNT(*) AS n FROM q) SELECT x, n FROM q, r",
    "WITH q AS (SELECT x FROM a) SELECT x FROM q WHERE EXISTS (WITH q AS (SELECT id FROM b) SELECT 1 FROM q "
    "WHERE id = x)",
)
READ_AS_WRITTEN = (
    "SELECT SUBSTR(CAST(x AS STRING), 1, 1) AS c, POSITION('1', CAST(x AS STRING)) AS p FROM a",
    "SELECT x FROM a WHERE d > DATE '2024-01-01' - INTERVAL 1 YEAR 2 MONTHS",
    "SELECT SUM(x) OVER (PARTITION BY id ORDER BY CAST(d AS TIMESTAMP) RANGE BETWEEN INTERVAL 1 HOUR 30 MINUTES "
    "PRECEDING AND CURRENT ROW) AS s FROM a",
    "SELECT s, SUM(s) OVER w AS z FROM (SELECT x, SUM(id) OVER w AS s FROM a WINDOW w AS (PARTITION BY x)) "
    "WINDOW w AS (PARTITION BY s)",
    "FROM a |> WHERE x > 1 |> SELECT DISTINCT id |> LIMIT 3 |> WHERE id > 2",
    "FROM a |> ORDER BY id |> LIMIT 5 |> JOIN b USING (id) |> AGGREGATE COUNT(*) AS n GROUP BY a.x AS k |> WHERE n > 1",
    "SELECT id, x FROM a ORDER BY ALL DESC LIMIT 3",
)
OTHER = (
    ("SELECT a.x FROM a, b WHERE a.id = b.id", "SELECT a.x FROM a LEFT JOIN b ON a.id = b.id"),
    ("SELECT a.x FROM a, b WHERE a.id = b.id", "SELECT a.x FROM a CROSS JOIN b"),
    ("SELECT x FROM a", "SELECT id FROM a"),
    ("SELECT a.x FROM a JOIN b ON a.id = b.id", "SELECT b.x FROM a JOIN b ON a.id = b.id"),
    (
        "WITH q AS (SELECT id FROM a), r AS (SELECT id FROM b) SELECT q.id FROM q, r",
        "WITH q AS (SELECT id FROM a), r AS (SELECT id FROM b) SELECT r.id FROM q, r",
    ),
    ("SELECT x FROM a", "SELECT x FROM nowhere"),
)


@pytest.fixture(scope="module")
def analyst(shared_warehouse: Path) -> SparkAnalyst:
    place = TrickleCredentials(schema="shop", warehouse=str(shared_warehouse), driver_memory="2g")
    session = EmbeddedSession(place, print)
    for name in "abc":
        session.rows(
            f"CREATE OR REPLACE TEMPORARY VIEW {name} AS SELECT id, id % 3 AS x, DATE '2024-05-01' AS d FROM RANGE(9)"
        )
    return SparkAnalyst(session, lambda _: nullcontext())


@pytest.mark.parametrize("query", READ + READ_AS_WRITTEN)
def test_a_query_means_what_we_print_of_it(query: str, analyst: SparkAnalyst) -> None:
    """Else it would be recomputed for nothing."""
    assert analyst.same_meaning(query, to_text(parse_select(query), pretty=False))


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_query_means_something_else(one: str, other: str, analyst: SparkAnalyst) -> None:
    """Else a misread query would be maintained."""
    assert not analyst.same_meaning(one, other)


def test_what_spark_cannot_plan_is_told(analyst: SparkAnalyst) -> None:
    """Spark 4.2 has no plan for LISTAGG(DISTINCT …) beside another DISTINCT: an error of its optimizer, told as one."""
    listed = "LISTAGG(DISTINCT CAST(id AS STRING), '|') WITHIN GROUP (ORDER BY CAST(id AS STRING))"
    query = f"SELECT x, {listed} AS ids, COUNT(DISTINCT d) AS days FROM a GROUP BY x"
    with pytest.raises(InvalidView, match="fails to plan it"):
        analyst.same_meaning(query, query)
