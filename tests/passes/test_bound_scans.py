"""bound_scans: which literals stand at which scan, for every operator between a change and a table."""

from __future__ import annotations

from tests.operators.plans import named, scalar
from trickle.delta.bound_scans import WORTH, bound_scans
from trickle.operators import (
    Aggregate,
    Consolidate,
    Distinct,
    Empty,
    Explode,
    Feed,
    Filter,
    Join,
    MarkJoin,
    Negate,
    Ordering,
    OuterJoin,
    Project,
    Restrict,
    Scan,
    SemiJoin,
    SourceColumn,
    TopK,
    TouchedKeys,
    UnionAll,
    Window,
    Within,
)
from trickle.plan.op import Op, walk
from trickle.plan.ranges import ColumnStatistics, FileStatistics, Ranges
from trickle.plan.schema import Column

LOW = Ranges(((1, 5),), null=True)
FILES = (
    FileStatistics(1, {"k": Ranges(((1, 9),)), "v": Ranges(((0, 3),))}),
    FileStatistics(9, {"k": Ranges(((50, 60),))}),
)
"""One file in ten may hold what changed."""
SPREAD = {
    "f": ColumnStatistics({"k": LOW, "v": Ranges(((7, 8),))}, FILES),
    "r": ColumnStatistics({}, FILES),
    "q": ColumnStatistics({}, FILES),
}


def columns(name: str) -> tuple[SourceColumn, ...]:
    return tuple(SourceColumn(column, f"{name}{column}", "int") for column in ("k", "v"))


FEED = Feed("f", "f", columns("f"), only_inserts=False)
R, Q = (Scan(name, name, columns(name)) for name in ("r", "q"))
KEYS = TouchedKeys(FEED, (named("fk"),))
EQUAL = scalar("fk = rk")
COUNT = named("n", "COUNT(*)")
GENERATED_PREFIX = (Column("made", "int"),)


def bounds(op: Op, statistics: dict[str, ColumnStatistics] = SPREAD) -> list[str]:
    """What is asked of the scans, as `column low-high`, and `?` where NULL is asked for."""
    found = {one for one in walk(bound_scans(op, statistics)) if isinstance(one, Within)}
    told = []
    for one in found:
        spans = ",".join(f"{low}-{high}" for low, high in one.ranges.intervals)
        told.append(f"{one.column} {spans}{'?' if one.ranges.null else ''}")
    return sorted(told)


def restricted(op: Op, column: str) -> Op:
    return Restrict(op, KEYS, (named("fk", column),))


RENAMED = tuple(named(one.name.replace("q", "r"), one.name) for one in columns("q"))
COUNTED = named("w", "COUNT(*) OVER (PARTITION BY rk)")
JOINED = scalar("rk = qk")

ASKED: tuple[tuple[Op, list[str]], ...] = (
    (restricted(R, "rk"), ["rk 1-5?"]),
    # Straight through.
    (restricted(Filter(R, scalar("rv > 1")), "rk"), ["rk 1-5?"]),
    (restricted(Negate(R), "rk"), ["rk 1-5?"]),
    (restricted(Consolidate(R), "rk"), ["rk 1-5?"]),
    (restricted(Distinct(R), "rk"), ["rk 1-5?"]),
    (restricted(Explode(R, scalar("EXPLODE(ARRAY(1))"), GENERATED_PREFIX, False), "rk"), ["rk 1-5?"]),
    (restricted(UnionAll((R, Project(Q, RENAMED))), "rk"), ["qk 1-5?", "rk 1-5?"]),
    (restricted(Within(R, "rv", Ranges(((1, 2),)), 0.5), "rk"), ["rk 1-5?", "rv 1-2"]),
    # Under the names of what they were made of.
    (restricted(Project(R, (named("x", "rk"), named("y", "rv + 1"))), "x"), ["rk 1-5?"]),
    (restricted(Project(R, (named("x", "rk"), named("y", "rv + 1"))), "y"), []),
    (restricted(Aggregate(R, (named("g", "rk"),), (COUNT,)), "g"), ["rk 1-5?"]),
    (restricted(Aggregate(R, (named("g", "rk"),), (COUNT,)), "n"), []),
    (restricted(Window(R, (named("p", "rk"),), (COUNTED,)), "rk"), ["rk 1-5?"]),
    (restricted(Window(R, (named("p", "rk"),), (COUNTED,)), "rv"), []),
    (restricted(TopK(R, (Ordering("rk", False, True),), 1, 0), "rk"), []),
    # From one restriction to the next: both hold.
    (Restrict(restricted(R, "rk"), TouchedKeys(FEED, (named("fv"),)), (named("fv", "rv"),)), ["rk 1-5?"]),
    # What a change meets on the other side of a join: NULL equals nothing.
    (Join(FEED, R, EQUAL), ["rk 1-5"]),
    (Join(R, FEED, EQUAL), ["rk 1-5"]),
    (Join(FEED, R, scalar("fk <=> rk")), ["rk 1-5?"]),
    (Join(FEED, R, None), []),
    (SemiJoin(R, FEED, EQUAL, anti=False), ["rk 1-5"]),
    (SemiJoin(R, FEED, EQUAL, anti=True), []),
    (SemiJoin(FEED, R, EQUAL, anti=False), ["rk 1-5"]),
    (SemiJoin(FEED, R, EQUAL, anti=True), ["rk 1-5"]),
    (MarkJoin(FEED, R, EQUAL, "found"), ["rk 1-5"]),
    (MarkJoin(R, FEED, EQUAL, "found"), []),
    (OuterJoin(FEED, R, EQUAL, full=False), ["rk 1-5"]),
    (OuterJoin(R, FEED, EQUAL, full=False), []),
    (OuterJoin(FEED, R, EQUAL, full=True), []),
    (OuterJoin(R, FEED, EQUAL, full=True), []),
    # What is asked of a join is asked of the side that has it, and of what must equal it.
    (restricted(Join(R, Q, JOINED), "rk"), ["qk 1-5", "rk 1-5?"]),
    (restricted(Join(R, Q, JOINED), "qk"), ["qk 1-5?", "rk 1-5"]),
    (restricted(SemiJoin(R, Q, JOINED, anti=False), "rk"), ["qk 1-5", "rk 1-5?"]),
    (restricted(SemiJoin(R, Q, JOINED, anti=True), "rk"), ["qk 1-5", "rk 1-5?"]),
    (restricted(MarkJoin(R, Q, JOINED, "found"), "rk"), ["qk 1-5", "rk 1-5?"]),
    (restricted(OuterJoin(R, Q, JOINED, full=False), "rk"), ["qk 1-5", "rk 1-5?"]),
    (restricted(OuterJoin(R, Q, JOINED, full=False), "qk"), []),
    (restricted(OuterJoin(R, Q, JOINED, full=True), "rk"), []),
    # From a change through one table to the next.
    (Join(Join(FEED, R, EQUAL), Q, scalar("rk = qk")), ["qk 1-5", "rk 1-5"]),
)
"""A plan, and what is asked of its scans."""


def test_scans_are_asked_for_what_is_needed() -> None:
    """No more than that, and nothing that could matter is left out."""
    for op, expected in ASKED:
        assert bounds(op) == expected, [type(one).__name__ for one in walk(op)]


def test_what_is_asked_twice_must_hold_twice() -> None:
    """Of one column, by two restrictions, or by a restriction and by what it must equal."""
    high = Feed("g", "g", columns("g"), only_inserts=False)
    statistics = {**SPREAD, "g": ColumnStatistics({"k": Ranges(((4, 9),))}, FILES)}
    keys = TouchedKeys(high, (named("gk"),))

    assert bounds(Restrict(restricted(R, "rk"), keys, (named("gk", "rk"),)), statistics) == ["rk 4-5"]
    assert bounds(restricted(Join(R, high, scalar("rk = gk")), "rk"), statistics) == ["rk 4-5"]


def test_without_any_change_nothing_is_asked() -> None:
    """Not even where there are no keys at all."""
    nobody = Restrict(R, TouchedKeys(Empty(FEED.schema), (named("fk"),)), (named("fk", "rk"),))

    assert bound_scans(nobody, {"r": ColumnStatistics({}, FILES)}) is nobody


def test_a_shared_part_is_asked_for_what_any_reader_needs() -> None:
    """Two readers: the union of what they ask. One who asks for everything: everything."""
    high = TouchedKeys(Feed("g", "g", columns("g"), only_inserts=False), (named("gk"),))
    statistics = {**SPREAD, "g": ColumnStatistics({"k": Ranges(((7, 8),))}, FILES)}
    shared = Filter(R, scalar("rv > 1"))
    low, other = restricted(shared, "rk"), Restrict(shared, high, (named("gk", "rk"),))

    assert bounds(UnionAll((low, other)), statistics) == ["rk 1-5,7-8?"]
    assert bounds(UnionAll((low, shared)), statistics) == []
    bounded = bound_scans(UnionAll((low, other)), statistics)
    assert len([op for op in walk(bounded) if isinstance(op, Filter)]) == 1


def test_only_what_pays_is_asked() -> None:
    """A condition that leaves out less than a quarter is not written; without files or without a change none is."""

    def files(skipped: int) -> dict[str, ColumnStatistics]:
        held = (
            FileStatistics(100 - skipped, {"k": Ranges(((1, 9),))}),
            FileStatistics(skipped, {"k": Ranges(((50, 60),))}),
        )
        return {"f": SPREAD["f"], "r": ColumnStatistics({}, held)}

    looked_up = restricted(R, "rk")
    assert bounds(looked_up, files(25)) == ["rk 1-5?"]
    assert bounds(looked_up, files(24)) == []
    assert WORTH == 0.75
    assert bound_scans(looked_up, {"f": ColumnStatistics({"k": LOW}), "r": ColumnStatistics({}, ())}) is looked_up
    assert bound_scans(looked_up, {"f": ColumnStatistics({}, FILES), "r": ColumnStatistics({}, FILES)}) is looked_up
    assert bounds(looked_up, {"f": ColumnStatistics({"k": LOW}, FILES)}) == []
    assert bounds(looked_up, {"f": ColumnStatistics({"k": LOW}), "r": ColumnStatistics({}, FILES)}) == ["rk 1-5?"]


def test_every_column_that_pays_is_asked_about() -> None:
    """In the order of their names, one above the other."""
    both = Restrict(R, TouchedKeys(FEED, (named("fk"), named("fv"))), (named("fk", "rk"), named("fv", "rv")))
    files = (
        FileStatistics(1, {"k": Ranges(((1, 9),)), "v": Ranges(((7, 7),))}),
        FileStatistics(9, {"k": NONE, "v": NONE}),
    )
    statistics = {"f": SPREAD["f"], "r": ColumnStatistics({}, files)}

    (outer,) = [op for op in walk(bound_scans(both, statistics)) if isinstance(op, Within) and op.column == "rv"]
    assert isinstance(outer.child, Within) and outer.child.column == "rk"
    assert outer.child.child is R
    assert outer.share == outer.child.share == 0.1


NONE = Ranges(((90, 99),))
