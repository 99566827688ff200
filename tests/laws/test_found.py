"""What random examples have found once, kept as fixed examples."""

from __future__ import annotations

import duckdb
import pytest
from sqlglot import exp

from tests.facts import compiled
from tests.laws.on_models import lowered_is_the_model, refreshes_keep_the_model_exact
from tests.oracle import generate_data
from tests.oracle.generate_queries import Model
from tests.oracle.zset import Row
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


def test_a_full_join_beside_all_rows_keeps_its_unmatched_rows_for_each_of_them() -> None:
    """Its right rows without partner are padded on its own left side only, not on everything written before it."""
    row = (1, "a", "a")
    text = (
        "SELECT t1.k AS c1, COUNT(*) AS c2 FROM s1 t1 CROSS JOIN"
        " (SELECT t2.k AS c3 FROM s1 t2 FULL JOIN s1 t3 ON t2.x1 = t3.x2 AND t3.k > 5) t4 GROUP BY t1.k"
    )
    model = Model(text=text, world=one_table((row,) * 4, (row,)))

    lowered_is_the_model(model)
    refreshes_keep_the_model_exact(model, one_table((row,), ((2, "a", "a"),)))


def one_table(before: tuple[Row, ...], after: tuple[Row, ...]) -> generate_data.World:
    """A world of one table s1 that changed between two refreshes."""
    types = {"k": "int", "x1": "string", "x2": "string"}
    changed = generate_data.Table("s1", types, before, after, changed=True, only_inserts=False, churn=())
    return generate_data.World((changed,))
