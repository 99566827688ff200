"""Restrictions end at the scans, and what only adds is known as such: both only save work, so no law sees them."""

from __future__ import annotations

from tests.facts import compiled
from tests.operators.plans import LINES, ORDERS, named, scalar
from trickle import Column, Name, Relation, Table
from trickle.delta.differentiate import SourceChange
from trickle.delta.nonnegative import only_adds
from trickle.delta.passes import change_to_apply
from trickle.operators import (
    Aggregate,
    Consolidate,
    Empty,
    Explode,
    Feed,
    Filter,
    Join,
    MarkJoin,
    Negate,
    OuterJoin,
    Project,
    Recursion,
    Restrict,
    Scan,
    SemiJoin,
    TouchedKeys,
    UnionAll,
    Window,
    Working,
)
from trickle.plan.op import Op, walk
from trickle.plan.schema import Column as Made

COLUMNS = tuple(Column(name, "int") for name in ("id", "k", "x"))
TABLES: dict[Name, Relation] = {("s", name): Table(("s", name), COLUMNS) for name in "abc"}
INNER = (
    "SELECT k, x FROM s.b WHERE x > 1",
    "SELECT DISTINCT k, x FROM s.b",
    "SELECT k, x FROM s.b UNION ALL SELECT id AS k, x FROM s.c",
    "SELECT b.k, c.x FROM s.b JOIN s.c ON c.id = b.id",
    "SELECT c.k, b.x FROM s.b JOIN s.c ON c.id = b.id",
    "SELECT b.k, c.x FROM s.b LEFT JOIN s.c ON c.id = b.id",
    "SELECT b.k, b.x FROM s.b WHERE EXISTS (SELECT 1 FROM s.c WHERE c.id = b.id)",
    "SELECT b.k, IF(EXISTS (SELECT 1 FROM s.c WHERE c.id = b.id), 1, b.x) AS x FROM s.b",
    "SELECT k, EXPLODE(ARRAY(x, id)) AS x FROM s.b",
    "SELECT k, RANK() OVER (PARTITION BY k ORDER BY x) AS x FROM s.b",
    "SELECT k, id, MAX(x) AS x FROM s.b GROUP BY k, id",
)
STOPPED_BY: dict[str, type[Op]] = {
    "SELECT b.k, c.x FROM s.b FULL JOIN s.c ON c.id = b.id": OuterJoin,
    "SELECT k, RANK() OVER (PARTITION BY id ORDER BY x) AS x FROM s.b": Window,
}
"""Where a restriction must stop: a row outside of it may decide what the others are."""


def restricted(inner: str) -> list[Op]:
    """What stands right under the restrictions, when the table changes that the groups are joined with."""
    grouped = f"SELECT k, MAX(x) AS m FROM ({inner}) AS u GROUP BY k"
    view = compiled(f"SELECT a.id, g.m FROM s.a JOIN ({grouped}) AS g ON g.k = a.k", TABLES.get)
    delta = change_to_apply(view.maintained, {"s.a": SourceChange()}).delta
    return [op.child for op in walk(delta) if isinstance(op, Restrict)]


def test_restrictions_reach_the_scans() -> None:
    """Nothing above the scans is computed for keys nobody asked for."""
    for inner in INNER:
        found = restricted(inner)

        assert found, inner
        assert all(isinstance(op, Scan) for op in found), f"{inner}: {[type(op).__name__ for op in found]}"


def test_restrictions_stop_where_other_rows_matter() -> None:
    """A full join keeps rows of either side; a window looks at its whole partition."""
    for inner, stop in STOPPED_BY.items():
        assert any(isinstance(op, stop) for op in restricted(inner)), inner


INSERTED = Feed("orders", "o", ORDERS.columns, only_inserts=True)
CHANGED = Feed("orders", "o", ORDERS.columns, only_inserts=False)
MATCH = scalar("id = order_id")
STEP = Working("round", ORDERS.schema, weighted=True)
KEYS = TouchedKeys(INSERTED, (named("id"),))


def over(delta: Op) -> list[Op]:
    """Everything that cannot turn an added row into a removed one."""
    return [
        delta,
        Filter(delta, scalar("id > 1")),
        Project(delta, (named("id"),)),
        Explode(delta, scalar("EXPLODE(ARRAY(1, 2))"), (Made("made", "int"),), False),
        Join(delta, LINES, MATCH),
        Join(LINES, delta, MATCH),
        SemiJoin(delta, LINES, MATCH, anti=True),
        MarkJoin(delta, LINES, MATCH, "m"),
        OuterJoin(delta, LINES, MATCH, full=False),
        Restrict(delta, KEYS, (named("id"),)),
        Consolidate(delta),
        Recursion(delta, STEP, "round", "id"),
        Recursion(INSERTED, Join(STEP, delta, MATCH), "round", "id"),
        UnionAll((delta, INSERTED)),
        UnionAll((INSERTED, delta)),
    ]


def test_a_change_that_only_adds_is_known_as_one() -> None:
    """So that it is appended, the cheapest statement there is."""
    assert all(only_adds(op) for op in over(INSERTED))
    assert only_adds(Empty(ORDERS.schema))
    assert only_adds(Aggregate(ORDERS, (named("id"),), ()))


def test_a_change_that_may_remove_is_never_appended() -> None:
    """One branch that removes is enough."""
    assert not any(only_adds(op) for op in over(CHANGED))
    assert not only_adds(Negate(INSERTED))
    assert not only_adds(Negate(ORDERS))
