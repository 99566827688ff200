"""Every aggregate of Spark's registry is maintained, or refused because the same rows may give another answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from dbt.adapters.trickle.cli.verify.case_file import parse_case
from dbt.adapters.trickle.cli.verify.run import Verdict, run_scenario
from dbt.adapters.trickle.cli.verify.spark import SparkRing
from tests.facts import compiled
from trickle import Column, Table
from trickle.functions import Role, names_of

pytestmark = pytest.mark.spark

NUMBERS = (
    *("SUM(x)", "SUM(DISTINCT x)", "SUM(n) FILTER (WHERE x > 1)", "AVG(x)", "AVG(DISTINCT n)", "MEAN(b)"),
    *("TRY_SUM(n)", "TRY_AVG(x)", "MIN(x)", "MAX(s)", "MIN(d) FILTER (WHERE x > 1)", "COUNT(*)", "COUNT(x)"),
    *("COUNT(x, s)", "COUNT(DISTINCT x)", "COUNT(DISTINCT x, s)", "COUNT_IF(x > 1)", "COUNT(DISTINCT s)"),
    *("APPROX_COUNT_DISTINCT(x)", "APPROX_COUNT_DISTINCT(s, 0.1)", "SUM(x) + COUNT(DISTINCT s)"),
)
LOGIC = (
    *("BOOL_AND(x > 1)", "BOOL_OR(x > 2)", "EVERY(x > 1)", "SOME(x > 2)", "ANY(x > 2)"),
    *("BIT_AND(x)", "BIT_OR(x)", "BIT_XOR(x)", "BIT_XOR(DISTINCT x)"),
    *("BITMAP_CONSTRUCT_AGG(BITMAP_BIT_POSITION(x))", "BITMAP_OR_AGG(UNHEX(LPAD(HEX(x), 2, '0')))"),
    "BITMAP_AND_AGG(UNHEX(LPAD(HEX(x), 2, '0')))",
)
MOMENTS = (
    *("STD(x)", "STDDEV(DISTINCT x)", "STDDEV_POP(d)", "STDDEV_SAMP(n)", "VARIANCE(x)", "VAR_POP(x)", "VAR_SAMP(d)"),
    *("COVAR_POP(x, d)", "COVAR_SAMP(x, d)", "CORR(x, d)", "KURTOSIS(x)", "SKEWNESS(x)"),
    *(f"REGR_{name}(x, d)" for name in ("AVGX", "AVGY", "COUNT", "INTERCEPT", "R2", "SLOPE", "SXX", "SXY", "SYY")),
)
ORDERS = (
    *("MEDIAN(x)", "PERCENTILE(x, 0.3)", "PERCENTILE(x, ARRAY(0.1, 0.9))", "PERCENTILE(x, 0.5, id)"),
    "PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY x DESC) FILTER (WHERE id > 1)",
    "PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY d)",
    *("APPROX_PERCENTILE(x, 0.5)", "PERCENTILE_APPROX(DISTINCT n, ARRAY(0.2, 0.8), 100)"),
    *("MODE(x)", "MODE(s, FALSE)", "MODE() WITHIN GROUP (ORDER BY x DESC)"),
    *("MIN_BY(s, x)", "MAX_BY(id, x)", "MAX_BY(s, x, 2)", "MAX_BY(DISTINCT id, x)"),
)
CHOICES = (
    *("FIRST(x)", "FIRST(s) IGNORE NULLS", "FIRST_VALUE(x, TRUE)", "LAST(x)", "LAST_VALUE(s) RESPECT NULLS"),
    *("ANY_VALUE(d)", "LAST(x) FILTER (WHERE s = 'a')", "FIRST(DISTINCT x)", "FIRST(STRUCT(x, s))"),
)
COLLECTIONS = (
    *("COLLECT_LIST(x)", "COLLECT_LIST(DISTINCT s)", "COLLECT_SET(s)", "ARRAY_AGG(x) FILTER (WHERE x > 1)"),
    *("LISTAGG(s)", "LISTAGG(DISTINCT s, '+')", "LISTAGG(s, ',') WITHIN GROUP (ORDER BY x DESC)"),
    *("STRING_AGG(s, ',')", "LISTAGG(DISTINCT x) FILTER (WHERE x > 1)", "LISTAGG(x, ',')"),
    "COLLECT_LIST(ARRAY(x, id))",
)
BACKWARDS = ("STRING_AGG(DISTINCT s, ',') WITHIN GROUP (ORDER BY s DESC)", "LISTAGG(s) WITHIN GROUP (ORDER BY id)")
"""Spark 4.2 fails to plan the first beside any other DISTINCT."""
SKETCHES = (
    *("COUNT_MIN_SKETCH(x, 0.1D, 0.9D, 7)", "THETA_SKETCH_AGG(x)", "THETA_SKETCH_AGG(s, 5)"),
    *("THETA_UNION_AGG(t)", "THETA_INTERSECTION_AGG(t)", "THETA_SKETCH_ESTIMATE(THETA_SKETCH_AGG(x))"),
    *("VECTOR_SUM(ARRAY(CAST(x AS FLOAT)))", "VECTOR_AVG(ARRAY(CAST(x AS FLOAT), 1F))"),
    "SCHEMA_OF_VARIANT_AGG(TO_VARIANT_OBJECT(STRUCT(x)))",
)
MAINTAINED: Mapping[str, tuple[str, ...]] = {
    "numbers": NUMBERS,
    "logic": LOGIC,
    "moments": MOMENTS,
    "orders": ORDERS,
    "choices": CHOICES,
    "collections": COLLECTIONS,
    "backwards": BACKWARDS,
    "sketches": SKETCHES,
}
REFUSED = (
    *("APPROX_TOP_K(x, 2)", "APPROX_TOP_K_ACCUMULATE(x)", "HISTOGRAM_NUMERIC(x, 3)", "HLL_SKETCH_AGG(x)"),
    *("KLL_SKETCH_AGG_BIGINT(x)", "TUPLE_SKETCH_AGG_INTEGER(x, id)"),
)
"""One of each kind: a sketch is built in the order in which rows are met."""

MANY = "SELECT CAST(PMOD(HASH(id), 30000) AS INT) AS x, CAST(id AS INT) AS id FROM RANGE(60000)"

CASE = """# Rows come, change and go, duplicates and NULLs among them.
table T (id INT, g STRING, x INT, b BIGINT, n DECIMAL(8, 2), d DOUBLE, s STRING)
    (1, 'a', 1, 1, 1.50, 0.5, 'a')
    (2, 'a', 2, 2, 2.50, 1.5, 'b')
    (2, 'a', 2, 2, 2.50, 1.5, 'b')
    (3, 'b', NULL, NULL, NULL, NULL, NULL)
    (4, 'c', 3, 3, 3.25, 2.5, 'c')
    (5, NULL, 5, 5, 0.25, 3.5, 'd')

view groups is incremental
    SELECT g, {items} FROM {rows} GROUP BY g

view whole is incremental
    SELECT {items} FROM {rows}

step
    INSERT INTO T VALUES (6, 'b', 4, 4, 4.75, 4.5, 'a'), (7, 'a', 1, 9, 1.5, 0.5, 'z'), (8, 'c', NULL, 1, NULL, 1, 'y')
    DELETE FROM T WHERE id = 4

step
    UPDATE T SET x = x + 1, s = NULL WHERE id IN (1, 5)
    DELETE FROM T WHERE id = 8

step
    DELETE FROM T WHERE g = 'a' OR id = 3
"""


@pytest.fixture(scope="module")
def ring() -> Iterator[SparkRing]:
    ring = SparkRing()
    yield ring
    ring.close()


@pytest.mark.parametrize("kind", MAINTAINED)
def test_maintained_aggregates_are_what_recomputing_gives(kind: str, ring: SparkRing) -> None:
    """By groups and over everything, after every step."""
    items = ", ".join(f"{call} AS c{place}" for place, call in enumerate(MAINTAINED[kind], 1))
    rows = "(SELECT *, THETA_SKETCH_AGG(x) AS t FROM T GROUP BY ALL) AS sketched" if kind == "sketches" else "T"

    (scenario,) = parse_case(Path(f"{kind}.case"), CASE.format(items=items, rows=rows))
    outcome = run_scenario(scenario, ring, all_ways=False)

    assert outcome.verdict is Verdict.EXACT, outcome.detail


@pytest.mark.parametrize("call", REFUSED)
def test_what_is_refused_depends_on_the_order_of_rows(call: str, ring: SparkRing) -> None:
    """Spark itself answers differently for the same rows in another order, and we say so."""
    columns = (Column("x", "int"), Column("id", "int"))
    view = compiled(f"SELECT {call} AS v FROM T", lambda name: Table(("s", "t"), columns))
    forwards, backwards = (
        ring.rows(f"SELECT {call} AS v FROM (SELECT * FROM ({MANY}) ORDER BY id {order})") for order in ("ASC", "DESC")
    )

    assert [one.code for one in view.reasons] == ["order_sensitive_aggregate"]
    assert repr(forwards) != repr(backwards)


def test_every_aggregate_of_spark_is_in_a_list_above(ring: SparkRing) -> None:
    """None is forgotten, and none is taken for a function of one row."""
    ring.rows("SELECT 1")
    windows = names_of(lambda function: function.role is Role.WINDOW)
    known = names_of(lambda function: function.is_aggregate)
    maintained = names_of(lambda function: function.is_exact or function.is_made_deterministic)
    written = " ".join(text.lower() for texts in MAINTAINED.values() for text in texts)

    assert _registered() - windows - known == set()
    assert [name for name in sorted(maintained) if f"{name}(" not in written] == []


def _registered() -> set[str]:
    """The names of Spark's registry whose class is an aggregate, or is replaced by one; not those a builder makes."""
    session = SparkSession.getActiveSession()
    assert session is not None
    # PySpark has no public way to the registry, and DESCRIBE FUNCTION does not tell what a class is.
    machine = session._jvm  # noqa: SLF001
    registry = session._jsparkSession.sessionState().functionRegistry()  # noqa: SLF001
    loader = machine.java.lang.Thread.currentThread().getContextClassLoader()
    package = "org.apache.spark.sql.catalyst.expressions"
    kinds = [
        machine.java.lang.Class.forName(f"{package}.{name}", False, loader)
        for name in ("aggregate.AggregateFunction", "RuntimeReplaceableAggregate")
    ]
    found = set()
    names = registry.listFunction().iterator()
    while names.hasNext():
        one = names.next()
        entry = machine.java.lang.Class.forName(registry.lookupFunction(one).get().getClassName(), False, loader)
        if any(kind.isAssignableFrom(entry) for kind in kinds):
            found.add(one.funcName())
    return found
