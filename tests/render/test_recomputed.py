"""How a query that is always recomputed is written: the differences, or all of it."""

from __future__ import annotations

from tests.facts import compiled
from tests.snapshots.shop import CONTRACT, last_stamp, probes, resolve
from trickle import Column, Name, Relation, Request, Target, View, plan_refresh
from trickle.catalog.happened import Changed

TREE = (
    "WITH RECURSIVE tree (id) AS (SELECT part_id FROM shop.parts WHERE inside IS NULL"
    " UNION ALL SELECT DISTINCT p.part_id FROM shop.parts AS p JOIN tree ON p.inside = tree.id) SELECT id FROM tree"
)


TREES = View(("shop", "trees"), (Column("id", "bigint"),), TREE)


def relation(name: Name) -> Relation | None:
    return TREES if name == TREES.name else resolve(name)


def strategy(text: str) -> str:
    view = compiled(text, relation)
    assert view.verdict == "recompute"
    target = Target(("shop", "example"), ("shop", "example__trickle"), 1_000, exists=True)
    seen = probes(view, {source.name: Changed for source in view.sources})
    return plan_refresh(view, target, last_stamp(view), seen, Request("model.shop.example", 2_000, CONTRACT)).strategy


def test_the_differences_are_written() -> None:
    """So models downstream see small changes."""
    assert strategy("SELECT order_id, amount / SUM(amount) OVER () AS share FROM shop.orders") == "recount"


def test_a_recursion_is_read_once() -> None:
    """Spark finds no plan for some of them read twice: "key not found"."""
    assert strategy(TREE) == "overwrite_all"
    assert strategy(f"SELECT id FROM ({TREE}) AS every") == "overwrite_all"
    assert strategy("SELECT id FROM shop.trees") == "overwrite_all"
