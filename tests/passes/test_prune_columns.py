"""prune_columns: each operator keeps what is used above it and what it uses itself, and one column at least."""

from __future__ import annotations

from tests.operators.plans import LINES, ORDERS, named, scalar
from trickle.operators import (
    Aggregate,
    Distinct,
    Explode,
    Filter,
    Join,
    MarkJoin,
    Ordering,
    OuterJoin,
    Project,
    Scan,
    SemiJoin,
    SourceColumn,
    TopK,
    UnionAll,
    Window,
)
from trickle.plan.op import Op, walk
from trickle.plan.schema import Column
from trickle.plan.show import show
from trickle.rewrite.prune_columns import prune_columns

WIDE = Scan("wide", "w", tuple(SourceColumn(name, name, "int") for name in "abcd"))
ON, ANY = scalar("a = order_id"), scalar("b > 1")
COUNT, SUM, SUM_OF_Y = named("n", "COUNT(*)"), named("s", "SUM(c)"), named("s", "SUM(y)")
RANKED, TOTAL = (
    named("r", "RANK() OVER (PARTITION BY b ORDER BY c)"),
    named("t", "SUM(d) OVER (PARTITION BY b)"),
)
GENERATED_PREFIX = (Column("made", "int"),)


def only(op: Op, *names: str) -> Project:
    return Project(op, tuple(named(name) for name in names))


def read(op: Op) -> dict[str, str]:
    """What is read of each table."""
    return {one.source: "".join(one.schema.names) for one in walk(prune_columns(op)) if isinstance(one, Scan)}


def wide(op: Op) -> str:
    return read(op)["wide"]


READS: tuple[tuple[Op, str], ...] = (
    (only(WIDE, "b"), "b"),
    (Project(WIDE, (named("x", "c + a"),)), "ac"),
    (only(Project(WIDE, (named("x", "c + a"), named("y", "d"))), "y"), "d"),
    (only(Filter(WIDE, ANY), "a"), "ab"),
    (only(Explode(WIDE, scalar("EXPLODE(ARRAY(c))"), GENERATED_PREFIX, False), "a"), "ac"),
    (only(Explode(WIDE, scalar("EXPLODE(ARRAY(c))"), GENERATED_PREFIX, False), "made"), "c"),
    (only(Distinct(WIDE), "a"), "abcd"),
    (only(TopK(WIDE, (Ordering("b", False, True),), 1, 0), "a"), "abcd"),
    (only(Join(WIDE, LINES, ON), "b"), "ab"),
    (only(Join(WIDE, LINES, None), "b"), "b"),
    (only(OuterJoin(WIDE, LINES, ON, full=True), "b"), "ab"),
    (only(SemiJoin(WIDE, LINES, ON, anti=True), "b"), "ab"),
    (only(MarkJoin(WIDE, LINES, ON, "found"), "found"), "a"),
    (only(UnionAll((WIDE, Filter(WIDE, ANY))), "a"), "ab"),
    (only(Aggregate(WIDE, (named("a"),), (COUNT, SUM)), "n"), "a"),
    (only(Aggregate(WIDE, (named("a"),), (COUNT, SUM)), "s"), "ac"),
    (only(Aggregate(WIDE, (named("a"), named("b")), (COUNT,)), "a"), "ab"),
    (only(Window(WIDE, (named("p", "b"),), (RANKED, TOTAL)), "a"), "a"),
    (only(Window(WIDE, (named("p", "b"),), (RANKED, TOTAL)), "r"), "bc"),
    (only(Window(WIDE, (named("p", "b"),), (RANKED, TOTAL)), "a", "t"), "abd"),
    (only(Window(WIDE, (named("p", "d"),), (RANKED,)), "r"), "bcd"),
    (WIDE, "abcd"),
)
"""A plan, and the columns of the wide table it must still read."""


def test_only_what_is_used_is_read() -> None:
    """What is left out is used by nobody; what is read is."""
    for op, expected in READS:
        assert wide(op) == expected, show(op)
        assert prune_columns(op).schema.names == op.schema.names


def test_rows_nobody_looks_into_are_still_counted() -> None:
    """COUNT(*) keeps the first column of what it counts."""
    counted = Aggregate(WIDE, (), (COUNT,))
    total = only(Aggregate(Project(WIDE, (named("x", "c"), named("y", "d"))), (), (COUNT, SUM_OF_Y)), "n")

    assert wide(counted) == "a"
    assert wide(total) == "c"
    assert wide(Project(WIDE, (named("one", "1"),))) == "a"
    assert wide(Aggregate(only(WIDE, "d", "c"), (), (COUNT,))) == "d"


def test_a_grouping_keeps_its_keys_and_a_total_a_measure() -> None:
    """Groups are rows: without their keys there would be others. Without any measure a total would be nothing."""
    grouped = only(Aggregate(WIDE, (named("a"),), (COUNT, SUM)), "a")
    total = Project(Aggregate(WIDE, (), (COUNT, SUM)), (named("one", "1"),))

    (groups,) = [op for op in walk(prune_columns(grouped)) if isinstance(op, Aggregate)]
    assert ([key.name for key in groups.keys], groups.measures) == (["a"], ())
    (one,) = [op for op in walk(prune_columns(total)) if isinstance(op, Aggregate)]
    assert [measure.name for measure in one.measures] == ["n"]


def test_a_window_nobody_reads_is_gone() -> None:
    """With one of its functions it stays, without the other one."""
    windowed = Window(WIDE, (named("p", "b"),), (RANKED, TOTAL))

    assert not [op for op in walk(prune_columns(only(windowed, "a"))) if isinstance(op, Window)]
    (kept,) = [op for op in walk(prune_columns(only(windowed, "t"))) if isinstance(op, Window)]
    assert [item.name for item in kept.items] == ["t"]


def test_a_shared_part_keeps_what_either_reader_uses() -> None:
    """And stays shared."""
    shared = Filter(WIDE, ANY)
    both = Join(only(shared, "a"), Project(shared, (named("e", "c"),)), scalar("a = e"))

    assert wide(both) == "abc"
    assert len([op for op in walk(prune_columns(both)) if isinstance(op, Filter)]) == 1


def test_branches_are_brought_back_to_the_same_columns() -> None:
    """One that must keep more for itself is projected; one that does not is left alone."""
    union = UnionAll((Distinct(WIDE), Filter(WIDE, scalar("a > 1"))))
    branches = next(op for op in walk(prune_columns(only(union, "a"))) if isinstance(op, UnionAll)).inputs

    assert [type(one).__name__ for one in branches] == ["Project", "Project"]
    assert [one.schema.names for one in branches] == [("a",), ("a",)]
    plain = UnionAll((WIDE, Filter(WIDE, ANY)))
    assert prune_columns(plain) is plain


def test_what_uses_everything_is_itself() -> None:
    """ "Changed?" is "is"."""
    kept: tuple[Op, ...] = (
        WIDE,
        only(WIDE, "a", "b", "c", "d"),
        Project(ORDERS, (named("x", "id + amount"),)),
        Aggregate(ORDERS, (named("id"),), (named("s", "SUM(amount)"),)),
        Window(WIDE, (named("p", "b"),), (RANKED, TOTAL)),
        Join(WIDE, LINES, ON),
    )

    assert all(prune_columns(op) is op for op in kept)
