"""table_reads of plans made by hand: what is narrow, and what is asked of the relation it is joined with."""

from __future__ import annotations

import pytest

from tests.operators.plans import LINES, ORDERS, named, scalar
from tests.passes.test_table_reads import COUNT, PARTS, shown
from trickle.delta.table_reads import table_reads
from trickle.operators import (
    Accumulate,
    Aggregate,
    Consolidate,
    Distinct,
    Empty,
    Explode,
    Feed,
    Filter,
    Join,
    Lookup,
    MarkJoin,
    Negate,
    Ordering,
    OuterJoin,
    Project,
    Recompute,
    Recursion,
    Restrict,
    SemiJoin,
    StoredRecursion,
    TopK,
    TouchedKeys,
    UnionAll,
    Values,
    Window,
    Within,
    Working,
)
from trickle.plan.op import Op
from trickle.plan.ranges import Ranges
from trickle.plan.scalar import Scalar
from trickle.plan.schema import Column
from trickle.sql.build import integer

FEED = Feed("orders", "orders", ORDERS.columns, only_inserts=False)
TOUCHED = TouchedKeys(FEED, (named("id"), named("amount")))
"""What a change touches, as rows without a weight."""
ROW = (Scalar(integer(1)), Scalar(integer(2)))
SAME_COLUMNS = Project(PARTS, (named("order_id", "part"), named("pieces", "part")))


def narrowed(op: Op) -> set[str]:
    """How lines are read that are joined with this relation on its first column."""
    condition = scalar(f"{op.schema.names[0]} = order_id")
    return {shown(read) for read in table_reads(Join(op, LINES, condition)) if read.source == "lines"}


NARROW: tuple[Op, ...] = (
    TOUCHED,
    Aggregate(TOUCHED, (named("id"),), COUNT),
    Accumulate(TOUCHED, (named("id"),), COUNT, True),
    Distinct(TOUCHED),
    Explode(TOUCHED, scalar("EXPLODE(ARRAY(amount))"), (Column("made", "int"),), outer=False),
    Filter(TOUCHED, scalar("amount > 1")),
    Project(TOUCHED, (named("id"),)),
    TopK(TOUCHED, (Ordering("id"),), 3, 0),
    Window(TOUCHED, (named("id"),), (named("w", "COUNT(*) OVER (PARTITION BY id)"),)),
    Within(TOUCHED, "id", Ranges(((1, 5),)), 0.5),
    Restrict(PARTS, TOUCHED, (named("id", "part"),)),
    Join(TOUCHED, PARTS, scalar("id = part")),
    Join(Project(PARTS, (named("part"),)), TOUCHED, scalar("id = part")),
    SemiJoin(TOUCHED, PARTS, scalar("id = part"), anti=False),
    SemiJoin(PARTS, TOUCHED, scalar("id = part"), anti=False),
    SemiJoin(TOUCHED, PARTS, scalar("id = part"), anti=True),
    MarkJoin(TOUCHED, PARTS, scalar("id = part"), "found"),
    OuterJoin(TOUCHED, PARTS, scalar("id = part"), full=False),
    OuterJoin(TOUCHED, Project(TOUCHED, (named("other", "id"),)), scalar("id = other"), full=True),
    UnionAll((TOUCHED, Project(TOUCHED, (named("id", "amount"), named("amount", "id"))))),
    Lookup(TOUCHED, PARTS, (("id", "part"),)),
    Recursion(TOUCHED, Working("round", TOUCHED.schema), "round"),
)
WIDE: tuple[Op, ...] = (
    PARTS,
    Empty(ORDERS.schema),
    Values((Column("id", "int"), Column("amount", "int")), (ROW,)),
    Recompute(ORDERS.schema, ()),
    StoredRecursion("tree", ORDERS.schema),
    TouchedKeys(FEED, (named("one", "1"),)),
    Restrict(PARTS, TOUCHED, (named("id", "1"),)),
    SemiJoin(PARTS, TOUCHED, scalar("id = part"), anti=True),
    MarkJoin(PARTS, TOUCHED, scalar("id = part"), "found"),
    OuterJoin(PARTS, TOUCHED, scalar("id = part"), full=False),
    OuterJoin(TOUCHED, PARTS, scalar("id = part"), full=True),
    UnionAll((TOUCHED, Project(PARTS, (named("id", "part"), named("amount", "part"))))),
    Aggregate(PARTS, (named("part"),), COUNT),
)


@pytest.mark.parametrize("op", NARROW, ids=lambda op: type(op).__name__)
def test_what_touched_keys_leave_of_a_relation_is_narrow(op: Op) -> None:
    """Through every operator: what it is joined with is looked up by its rows."""
    assert narrowed(op) == {"lines: by key by order_id"}


@pytest.mark.parametrize("op", WIDE, ids=lambda op: type(op).__name__)
def test_what_may_be_all_of_a_relation_is_wide(op: Op) -> None:
    """What it is joined with is read as a whole."""
    assert narrowed(op) == {"lines: whole"}


ASKED: tuple[tuple[Op, str], ...] = (
    (Filter(LINES, scalar("pieces > 1")), "lines: by key by order_id"),
    # A change is computed as a whole.
    (Negate(LINES), "lines: whole"),
    (Within(LINES, "pieces", Ranges(((1, 5),)), 0.5), "lines: by key by order_id"),
    (Explode(LINES, scalar("EXPLODE(ARRAY(pieces))"), (Column("made", "int"),), False), "lines: by key by order_id"),
    (UnionAll((LINES, SAME_COLUMNS)), "lines: by key by order_id"),
    (Project(LINES, (named("order_id", "pieces"),)), "lines: by key by pieces"),
    (Restrict(LINES, TouchedKeys(FEED, (named("x", "amount"),)), (named("x", "pieces"),)), "lines: by key by pieces"),
    (Restrict(LINES, TouchedKeys(FEED, (named("x", "1"),)), (named("x", "1"),)), "lines: by key by order_id"),
    (Accumulate(LINES, (named("order_id"),), COUNT, True), "lines: whole"),
    (Aggregate(LINES, (named("order_id"),), COUNT), "lines: whole"),
    (Consolidate(LINES), "lines: whole"),
    (Distinct(LINES), "lines: whole"),
    (TopK(LINES, (Ordering("pieces"),), 3, 0), "lines: whole"),
    (Window(LINES, (), (named("w", "COUNT(*) OVER ()"),)), "lines: whole"),
    (SemiJoin(LINES, PARTS, scalar("pieces = part"), anti=True), "lines: whole"),
    (MarkJoin(LINES, PARTS, scalar("pieces = part"), "found"), "lines: whole"),
    (OuterJoin(LINES, PARTS, scalar("pieces = part"), full=True), "lines: whole"),
    (Recursion(LINES, Working("round", LINES.schema), "round"), "lines: whole"),
)


@pytest.mark.parametrize(("op", "read"), ASKED, ids=lambda one: type(one).__name__ if isinstance(one, Op) else "")
def test_what_a_change_asks_of_the_relation_it_is_joined_with(op: Op, read: str) -> None:
    """Its own rows by their key where each row of the relation is one of the table, and else all."""
    reads = table_reads(Join(TOUCHED, op, scalar("id = order_id")))

    assert {shown(one) for one in reads if one.source == "lines"} == {read}


def test_what_is_looked_up_is_read_as_a_whole() -> None:
    """And so are both sides of a join of which neither is narrow."""
    assert {shown(one) for one in table_reads(Lookup(TOUCHED, LINES, (("id", "order_id"),)))} == {"lines: whole"}
    assert {shown(one) for one in table_reads(Join(PARTS, LINES, scalar("part = order_id")))} == {
        "parts: whole",
        "lines: whole",
    }


def test_the_same_relation_may_be_asked_for_in_two_ways() -> None:
    """Each way is a read of its own."""
    lines = Filter(LINES, scalar("pieces > 0"))
    both = UnionAll(
        (
            Project(Join(TOUCHED, lines, scalar("id = order_id")), (named("n", "pieces"),)),
            Project(Join(TOUCHED, lines, scalar("amount = pieces")), (named("n", "pieces"),)),
        )
    )

    assert {shown(one) for one in table_reads(both)} == {"lines: by key by order_id", "lines: by key by pieces"}
