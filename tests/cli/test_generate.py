"""Random scenarios depend on the seed only, use the query's literals, and change the rows as declared."""

from __future__ import annotations

import random

import pytest

from dbt.adapters.trickle.cli.queries import Query
from dbt.adapters.trickle.cli.schema_file import columns_of, resolver
from dbt.adapters.trickle.cli.verify.generate import Sizes, generated
from dbt.adapters.trickle.cli.verify.values import domain, value

TABLES = {
    "customer": columns_of(
        "c_id INT, c_credit STRING, c_balance DECIMAL(12,2), c_since TIMESTAMP, c_note STRING, c_x INT"
    ),
    "orders": columns_of("o_id INT, o_c_id INT, o_open BOOLEAN"),
}
RESOLVE = resolver(TABLES, "schema")
QUERY = Query(
    "q",
    "SELECT c_id, COUNT(*) AS n FROM customer JOIN orders ON c_id = o_c_id "
    "WHERE c_credit = 'GC' AND c_balance > 777 GROUP BY c_id",
)


def test_the_same_seed_makes_the_same_scenario() -> None:
    """Whatever was generated before; another seed makes another."""
    one, again, other = (generated(QUERY, RESOLVE, Sizes(seed=seed)) for seed in (1, 1, 2))

    assert one == again
    assert one != other


def test_literals_of_the_query_occur_in_the_column_they_are_compared_with() -> None:
    """A condition no row meets would prove nothing."""
    customer = generated(QUERY, RESOLVE, Sizes(rows=60)).tables[0]

    assert any("'GC'" in row for row in customer.rows)
    assert any("778.00" in row or "777.00" in row for row in customer.rows)


def test_only_columns_the_query_reads_and_two_others_are_generated() -> None:
    """With SELECT * all columns are."""
    names = [column.name for column in generated(QUERY, RESOLVE, Sizes()).tables[0].columns]
    everything = Query("all", "SELECT * FROM customer")

    assert names == ["c_id", "c_credit", "c_balance", "c_since", "c_note"]
    assert len(generated(everything, RESOLVE, Sizes()).tables[0].columns) == 6


def test_there_are_as_many_rounds_as_asked_for_with_inserts_updates_and_deletes() -> None:
    """Over several rounds every kind of change occurs, and some rounds change two tables."""
    steps = generated(QUERY, RESOLVE, Sizes(rounds=12)).steps
    words = [[change.sql.split()[0] for change in step.changes] for step in steps]

    assert len(steps) == 12
    assert {word for step in words for word in step} == {"INSERT", "UPDATE", "DELETE"}
    assert any("customer" in str(step.changes) and "orders" in str(step.changes) for step in steps)


@pytest.mark.parametrize(
    "kind",
    "tinyint smallint int bigint float double decimal(5,2) decimal(4,4) decimal(38,0) string varchar(3) char(2) "
    "boolean date timestamp timestamp_ntz binary array<int> map<string,int> struct<a:int,b:string>".split(),
)
def test_every_ordinary_type_has_a_domain(kind: str) -> None:
    """At least two values, and NULL now and then."""
    values = domain(kind, ("'2024-05-05'", "7", "'longer than three'", "1.5"))
    randomness = random.Random(3)
    drawn = {value(randomness, kind, values) for _ in range(200)}

    assert len(set(values)) > 1
    assert "NULL" in drawn
    assert len(drawn) > 2


def test_literals_that_do_not_fit_a_type_stay_out() -> None:
    """A text too long, a number too large, a fraction for an integer."""
    assert "'abcdef'" not in domain("varchar(3)", ("'abcdef'",))
    assert all(abs(float(one)) < 10 for one in domain("decimal(3,2)", ("12345",)))
    assert "1.5" not in domain("int", ("1.5",))
