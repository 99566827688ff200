"""What random examples have found once, kept as fixed examples."""

from __future__ import annotations

import duckdb
import pytest
from sqlglot import exp

from trickle import Column, Table, compile_view
from trickle.operators import Accumulate, Scan, SourceColumn
from trickle.plan.scalar import Named, Scalar
from trickle.render.reads import Binding, Reads
from trickle.render.render import render
from trickle.sql.build import column, table
from trickle.sql.text import to_text


def _view(text: str) -> str:
    return compile_view(text, lambda name: Table(name, (Column("k", "int"),))).verdict


def test_a_global_extreme_moves_nothing_when_nothing_came() -> None:
    """Without keys and without rows there is no row of NULLs that could wipe out the stored state."""
    scan = Scan("t", "t", (SourceColumn("k", "k", "int"),))
    moved = Accumulate(scan, (), (Named("least", Scalar(exp.Min(this=column("k")))),), drops_zero=False)
    query = to_text(render(moved, Binding({"t": Reads(table(("t",)))})), "duckdb")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (k INT)")

    assert connection.execute(query).fetchall() == []
    connection.execute("INSERT INTO t VALUES (3), (2)")
    assert connection.execute(query).fetchall() == [(2,)]


@pytest.mark.parametrize(
    ("items", "verdict"),
    [
        ("1 AS one, COUNT(*) AS n", "recompute"),
        ("k, 1 AS one, COUNT(*) AS n", "recompute"),
        ("k, COUNT(*) AS n", "incremental"),
    ],
)
def test_group_by_all_beside_a_constant_is_recomputed(items: str, verdict: str) -> None:
    """Whether the constant is a key decides what an empty input gives, so nobody guesses."""
    assert _view(f"SELECT {items} FROM t GROUP BY ALL") == verdict
