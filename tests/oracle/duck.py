"""DuckDB as a second judge: the tables of a world as plain tables, and queries over them as Z-sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import duckdb
from sqlglot import exp

from dbt.adapters.trickle.cli.verify.duck_dialect import MACROS, duck_tree
from tests.oracle.generate_data import Table, World
from tests.oracle.zset import Row, Value, ZSet, bag, zset
from trickle.plan.schema import WEIGHT
from trickle.render.reads import Binding, Reads
from trickle.sql.build import table as named_table
from trickle.sql.statement import parse_statement
from trickle.sql.text import to_text, translate

DUCK_TYPES = {
    "int": "INTEGER",
    "bigint": "BIGINT",
    "string": "VARCHAR",
    "boolean": "BOOLEAN",
    "double": "DOUBLE",
}


@lru_cache(maxsize=1)
def duck() -> duckdb.DuckDBPyConnection:
    """One database in memory for the whole process, single-threaded: the queries are tiny."""
    connection = duckdb.connect(":memory:")
    connection.execute("SET threads = 1")
    # DuckDB 2.0 takes a sum over a LEFT JOIN with an empty table for zero without it.
    connection.execute("SET disabled_optimizers = 'statistics_propagation'")
    for macro in MACROS:
        connection.execute(macro)
    # MERGE computes the values of every branch for every row here, also of branches that are not taken: an error
    # must wait until it is stored, where NOT NULL meets it (see storage.begin).
    connection.execute("CREATE OR REPLACE MACRO raise_error(message) AS NULL")
    return connection


SMALL = 3
"""Rows from which on a table is large."""


def load(world: World) -> Binding:
    """Three plain tables a source: before, after and its feed as it is told, churn included."""
    for one in world.tables:
        fill(f"{one.name}_before", one.types, one.before)
        fill(f"{one.name}_after", one.types, one.after)
        feed = [(*row, weight) for row, weight in one.feed()]
        fill(f"{one.name}_feed", {**one.types, WEIGHT: "bigint"}, feed)
    return Binding({one.name: _reads(one) for one in world.tables}, counts=world.counts, clock=world.instants)


def _reads(one: Table) -> Reads:
    after, before, feed = (named_table((f"{one.name}_{read}",)) for read in ("after", "before", "feed"))
    # Some tables are small and some are not, so that a few pairs meet a large table.
    return Reads(after, before, feed, small=True, small_table=len(one.after) < SMALL)


def fill(name: str, types: Mapping[str, str], rows: Iterable[Row]) -> None:
    """A table with exactly these rows, in one statement."""
    typed = ", ".join(f'NULL::{DUCK_TYPES.get(kind, kind)} AS "{column}"' for column, kind in types.items())
    nothing = f"SELECT {typed} WHERE FALSE"
    values = ", ".join(f"({', '.join(_literal(value) for value in row)})" for row in rows)
    body = f"{nothing} UNION ALL VALUES {values}" if values else nothing
    duck().execute(f'CREATE OR REPLACE TABLE "{name}" AS {body}')


def _literal(value: Value) -> str:
    match value:
        case None:
            return "NULL"
        case str():
            return "'" + value.replace("'", "''") + "'"
        case _:
            return str(value).upper()


@lru_cache(maxsize=4096)
def in_duckdb(spark_sql: str) -> str:
    """One statement in DuckDB's words. What is asked of a storage is asked in the same words thousands of times."""
    return translate(duck_tree(parse_statement(spark_sql)), "duckdb")


def answer(query: exp.Query | str, signed: bool = False) -> ZSet:
    """The rows of a query; the last column of a signed one is the weight."""
    text = query if isinstance(query, str) else in_duckdb(to_text(query, pretty=False))
    found = duck().execute(text).fetchall()
    return zset((row[:-1], row[-1]) for row in found) if signed else bag(found)
