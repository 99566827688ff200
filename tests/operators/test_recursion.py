"""Recursion: a CTE that reads itself, its change, and how deep that may reach."""

from __future__ import annotations

from dataclasses import replace

from tests.operators.plans import ORDERS
from trickle.delta.differentiate import SourceChange, differentiate
from trickle.delta.simplify import simplify
from trickle.operators import Empty, Filter, Join, Project, Recursion, StoredRecursion, Working
from trickle.operators.project import renaming
from trickle.plan.op import walk
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import Column, Schema
from trickle.render.reads import Binding, Reads
from trickle.render.render import render
from trickle.sql.build import table
from trickle.sql.parse import parse_select
from trickle.sql.text import to_line

SCHEMA = Schema((Column("node", "int"), Column("level", "int")))
BOUND = Binding(
    {"orders": Reads(table(("orders",)), table(("before",)), table(("feed",)))},
    stored_relations={"1": table(("held",))},
)


def scalar(text: str) -> Scalar:
    return Scalar(parse_select(f"SELECT {text}").expressions[0])


def tree(slot: str | None = None) -> Recursion:
    """Orders without an amount, and the orders whose amount is the id of one of them."""
    begin = Project(
        Filter(ORDERS, scalar("amount IS NULL")), (Named("node", column_scalar("id")), Named("level", scalar("0")))
    )
    other = renaming(ORDERS, tuple(f"other_{name}" for name in ORDERS.schema.names))
    met = Join(Working("tree", SCHEMA), other, scalar("node = other_amount"))
    step = Project(met, (Named("node", column_scalar("other_id")), Named("level", scalar("level + 1"))))
    return Recursion(begin, step, "tree", "level", slot=slot)


def test_it_is_printed_as_a_cte_that_reads_itself() -> None:
    """RECURSIVE stands where one of the CTEs does, and the anchor comes first."""
    text = to_line(render(tree(), BOUND))

    assert text.startswith("WITH RECURSIVE `recursion` AS (SELECT ")
    assert "UNION ALL SELECT" in text and "FROM `recursion` AS `round`" in text


def test_the_levels_of_the_text_are_repeated() -> None:
    """Spark would stop at its own limit otherwise."""
    assert "`recursion` MAX RECURSION LEVEL 7 AS (" in to_line(render(replace(tree(), levels=7), BOUND))


def test_what_it_was_is_read_from_the_storage() -> None:
    """The change of a recursion that is kept reads none of its old rows from the sources."""
    change = differentiate(tree(slot="1"), {"orders": SourceChange()})
    text = to_line(render(simplify(change.delta), BOUND))

    assert isinstance(change.before, StoredRecursion)
    assert "FROM `held` AS `kept`" in text and "`before`" not in text


def test_one_that_is_kept_and_did_not_change_is_not_computed() -> None:
    """Both moments are what the storage holds."""
    change = differentiate(tree(slot="1"), {})

    assert change.before is change.after
    assert isinstance(change.before, StoredRecursion) and isinstance(change.delta, Empty)


def test_a_change_fails_where_the_whole_recursion_would() -> None:
    """Rows carry their level: a change begins in the middle, so its own rounds say too little."""
    delta = simplify(differentiate(tree(slot="1"), {"orders": SourceChange()}).delta)

    stop = "RAISE_ERROR('dbt-trickle [recursion_limit]: the recursion goes deeper than 100 levels')"
    assert f"`level` >= 100 THEN CAST({stop}" in to_line(render(delta, BOUND)).replace("`recursion`.", "")


def test_a_recursion_from_nothing_is_nothing_and_one_that_makes_nothing_its_anchor() -> None:
    """Both are what is left when no source of a part changed."""
    op = tree()

    assert isinstance(simplify(op.rebuild((Empty(SCHEMA), op.step))), Empty)
    assert simplify(op.rebuild((op.anchor, Empty(SCHEMA)))) is op.anchor


def test_the_rounds_of_a_change_are_signed() -> None:
    """Weights are multiplied along the way; the user's own recursion has none."""
    delta = differentiate(tree(slot="1"), {"orders": SourceChange()}).delta

    assert delta.signed and not tree().signed
    assert [op.signed for op in walk(delta) if isinstance(op, Working)] == [True]
