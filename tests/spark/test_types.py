"""The types the engine is certain of are those that Spark gives."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from trickle.plan.expression_types import type_of
from trickle.plan.schema import UNKNOWN
from trickle.sql.parse import parse_select
from trickle.types import normal, parse_type, type_text, widest

pytestmark = pytest.mark.spark

COLUMNS = {
    "i": "int",
    "b": "bigint",
    "s": "smallint",
    "d": "decimal(7,2)",
    "e": "decimal(5,1)",
    "w": "decimal(30,10)",
    "f": "double",
    "t": "string",
    "y": "date",
    "z": "boolean",
    "m": "map<string,decimal(7,2)>",
    "l": "array<bigint>",
    "o": "array<struct<a:int,b:map<string,date>>>",
}
CERTAIN = (
    *("d / e", "d / 2", "2 / d", "d / i", "i / d", "e / b", "i / b", "d / f", "(d - e) / 2", "d / 100.0"),
    *("d * e", "d + e", "d - 1", "d * 1.5", "i * b", "s + i", "-d", "d * f"),
    *("ROUND(d)", "ROUND(d, 1)", "ROUND(d, 5)", "ROUND(e, 0)", "ROUND(f, 2)", "ROUND(i)", "ROUND(d * e, 2)"),
    *("t || t", "'a' || i", "CONCAT(t, d, y)", "CONCAT('a', t, z)"),
    *("COALESCE(d, e)", "COALESCE(i, b)", "CASE WHEN z THEN d ELSE 0 END", "IF(z, i, s)", "GREATEST(d, e)"),
    *("SUM(d)", "SUM(i)", "SUM(d / 2)", "AVG(d)", "AVG(i)", "SUM(f)", "COUNT(*)", "MAX(t)", "SUM(d * e)"),
    *("MAX_BY(t, i)", "COLLECT_LIST(d)", "ARRAY_AGG(DISTINCT t)", "FIRST(y)", "ANY_VALUE(d)", "MODE(t)"),
    *("STDDEV(i)", "VAR_POP(d)", "CORR(i, f)", "REGR_COUNT(i, f)", "REGR_SXX(d, i)", "KURTOSIS(f)", "COVAR_SAMP(d, i)"),
    *("BOOL_OR(z)", "ANY(z)", "BIT_XOR(s)", "APPROX_COUNT_DISTINCT(t)"),
    *("m['a']", "l[0]", "o[0].a", "o[0].b['x']", "ELEMENT_AT(m, 'a')", "ELEMENT_AT(l, -1)", "SUM(m['a'])", "SIZE(l)"),
    *("NAMED_STRUCT('a', i, 'b', t)", "NAMED_STRUCT('a', d).a", "CARDINALITY(m)", "TRY_ELEMENT_AT(o, 1).b"),
    *("DATE_ADD(y, 1)", "DATEDIFF(y, y)", "NAMED_STRUCT('A', i, 'variant_id', t)", "CAST(NULL AS STRUCT<Foo: INT>)"),
    *("YEAR(y)", "UPPER(t)", "i > 1", "NOT z", "CAST(t AS DECIMAL(10,3))", "1.50", "12", "'x'", "1e3"),
)
UNCERTAIN = (
    "w * w",
    "w / w",
    "ROUND(d, -1)",
    "ROUND(d, i)",
    "CONCAT(ARRAY(i), ARRAY(i))",
    "y + INTERVAL '1 day 2 hours'",
    "DATE_ADD(DAY, 1, y)",
    "DATEDIFF(DAY, y, y)",
)


@pytest.fixture(scope="module")
def session(shared_warehouse: Path) -> EmbeddedSession:
    return EmbeddedSession(
        TrickleCredentials(schema="shop", warehouse=str(shared_warehouse), driver_memory="2g"), print
    )


@pytest.mark.parametrize("text", CERTAIN)
def test_a_type_is_the_one_spark_gives(text: str, session: EmbeddedSession) -> None:
    """Sums, casts and stored states are built upon it."""
    columns = ", ".join(f"CAST(NULL AS {kind}) AS {name}" for name, kind in COLUMNS.items())

    ((_, given),) = session.columns(f"SELECT {text} AS value FROM (SELECT {columns}) AS one")

    assert type_of(parse_select(f"SELECT {text}").selects[0], COLUMNS) == normal(given)


KINDS = (
    *("tinyint", "int", "bigint", "decimal(10,2)", "decimal(5,4)", "decimal(38,10)", "float", "double", "string"),
    *("date", "timestamp", "timestamp_ntz", "boolean", "binary", "void", "interval day to second", "char(3)"),
    *("array<int>", "array<string>", "struct<a:int>", "struct<a:bigint>", "struct<b:int>", "map<string,int>"),
)
MEETINGS = (
    *(("int", "bigint"), ("bigint", "decimal(10,2)"), ("int", "float"), ("decimal(5,4)", "double"), ("int", "string")),
    *(("string", "date"), ("date", "timestamp"), ("void", "array<int>"), ("array<int>", "array<string>")),
    *(("decimal(10,2)", "string"), ("struct<a:int>", "struct<a:bigint>"), ("timestamp", "timestamp_ntz")),
)


def test_two_types_meet_in_the_one_spark_casts_them_to(session: EmbeddedSession) -> None:
    """UNION casts its branches to it. No common type is guessed, and those of ordinary types are known."""
    told = {pair: type_text(widest([parse_type(kind) for kind in pair])) for pair in product(KINDS, repeat=2)}

    for pair, ours in told.items():
        if ours != UNKNOWN:
            query = " UNION ALL ".join(f"SELECT CAST(NULL AS {kind}) AS value" for kind in pair)
            ((_, given),) = session.columns(query)
            # Spark shows the values of a CHAR as what they are: padded texts.
            shown = "string" if ours.startswith("char") else ours
            assert (pair, shown) == (pair, normal(given))
    assert [pair for pair in MEETINGS if told[pair] == UNKNOWN] == []


@pytest.mark.parametrize("text", UNCERTAIN)
def test_what_is_not_certain_is_not_guessed(text: str) -> None:
    """Where digits may be given up, or an argument decides."""
    assert type_of(parse_select(f"SELECT {text}").selects[0], COLUMNS) == UNKNOWN
