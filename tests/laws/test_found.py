"""What random examples have found once, kept as fixed examples."""

from __future__ import annotations

import duckdb
import pytest
from sqlglot import exp

from tests.facts import compiled
from trickle import Column, Table
from trickle.operators import Accumulate, Aggregate, Project, Scan, SourceColumn
from trickle.plan.op import walk
from trickle.plan.scalar import Named, Scalar
from trickle.plan.show import show
from trickle.render.reads import Binding, Reads
from trickle.render.render import render
from trickle.rewrite.merge_projections import merge_projections
from trickle.sql.build import column, table
from trickle.sql.text import to_text


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
    ("items", "keys"),
    [
        ("1 AS one, COUNT(*) AS n", 1),
        ("k, 1 AS one, COUNT(*) AS n", 2),
        ("k, COUNT(*) AS n", 1),
        ("COUNT(*) AS n", 0),
    ],
)
def test_a_constant_is_a_key_of_group_by_all(items: str, keys: int) -> None:
    """As in Spark: with the constant a key an empty input gives no row, without any key it gives one."""
    view = compiled(f"SELECT {items} FROM t GROUP BY ALL", lambda name: Table(name, (Column("k", "int"),)))
    assert view.verdict == "incremental"
    (grouping,) = [op for op in walk(view.plan) if isinstance(op, Aggregate)]
    assert len(grouping.keys) == keys


def test_three_projections_become_two_and_then_one() -> None:
    """What is used twice through the middle one is used once when the upper two have become one."""
    scan = Scan("t", "t", (SourceColumn("k", "k", "int"),))
    computed = Project(scan, (Named("a", Scalar(exp.Neg(this=column("k")))),))
    twice = Project(computed, (Named("b", Scalar(column("a"))), Named("c", Scalar(column("a")))))
    once = merge_projections(Project(twice, (Named("d", Scalar(column("b"))),)))
    assert show(merge_projections(once)) == show(once) == "Project(-`k` AS d)\n  Scan(t; t; k; after)"
