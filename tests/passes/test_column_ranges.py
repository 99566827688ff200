"""values: where a column of a change lies, for every operator a change can be made of."""

from __future__ import annotations

from typing import Optional

from tests.operators.plans import named, scalar
from trickle.delta.column_ranges import ColumnRanges, comparable_columns
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
from trickle.plan.op import Op
from trickle.plan.ranges import ColumnStatistics, Ranges
from trickle.plan.schema import Column

LOW, HIGH = Ranges(((1, 5),), null=True), Ranges(((4, 9),), null=True)
MEET, EITHER = Ranges(((4, 5),)), Ranges(((1, 9),), null=True)
NULL = Ranges(null=True)
SPREAD = {"a": ColumnStatistics({"k": LOW, "t": LOW}), "b": ColumnStatistics({"k": HIGH, "t": HIGH})}


def source(name: str) -> tuple[SourceColumn, ...]:
    kinds = {"k": "int", "v": "int", "t": "string"}
    return tuple(SourceColumn(column, f"{name}{column}", kind) for column, kind in kinds.items())


A, B = (Feed(name, name, source(name), only_inserts=False) for name in ("a", "b"))
REST = Scan("c", "c", source("c"))
EQUAL = scalar("ak = bk")
GENERATED_PREFIX = Column("made", "int")
COUNT = named("w", "COUNT(*) OVER (PARTITION BY ak)")
KEYS = TouchedKeys(B, (named("bk"),))

KNOWN: tuple[tuple[Op, str, Optional[Ranges]], ...] = (
    (A, "ak", LOW),
    (A, "av", None),
    (Feed("z", "z", source("z"), only_inserts=True), "zk", None),
    (REST, "ck", None),
    (Empty(A.schema), "ak", Ranges()),
    (Project(A, (named("x", "ak"), named("y", "ak + 1"))), "x", LOW),
    (Project(A, (named("x", "ak"), named("y", "ak + 1"))), "y", None),
    (TouchedKeys(A, (named("x", "ak"),)), "x", LOW),
    (Aggregate(A, (named("x", "ak"),), (named("n", "COUNT(*)"),)), "x", LOW),
    (Aggregate(A, (named("x", "ak"),), (named("n", "COUNT(*)"),)), "n", None),
    (Filter(A, scalar("av > 1")), "ak", LOW),
    (Negate(A), "ak", LOW),
    (Consolidate(A), "ak", LOW),
    (Distinct(A), "ak", LOW),
    (Explode(A, scalar("EXPLODE(ARRAY(av))"), (GENERATED_PREFIX,), False), "ak", LOW),
    (Explode(A, scalar("EXPLODE(ARRAY(av))"), (GENERATED_PREFIX,), False), "made", None),
    (Window(A, (named("p", "ak"),), (COUNT,)), "ak", LOW),
    (Window(A, (named("p", "ak"),), (COUNT,)), "w", None),
    (Within(A, "av", HIGH, 0.5), "ak", LOW),
    (UnionAll((A, Project(B, (named("ak", "bk"), named("av", "bv"), named("at", "bt"))))), "ak", EITHER),
    (UnionAll((A, Project(REST, (named("ak", "ck"), named("av", "cv"), named("at", "ct"))))), "ak", None),
    (Restrict(A, KEYS, (named("bk", "ak"),)), "ak", LOW & HIGH),
    (Restrict(REST, KEYS, (named("bk", "ck"),)), "ck", HIGH),
    (Restrict(A, KEYS, (named("bk", "av"),)), "ak", LOW),
    (Restrict(A, KEYS, (named("bk", "at"),)), "at", LOW),
    (MarkJoin(A, B, EQUAL, "found"), "ak", LOW),
    (MarkJoin(A, B, EQUAL, "found"), "found", None),
    (Join(A, B, EQUAL), "ak", MEET),
    (Join(A, B, EQUAL), "bk", MEET),
    (Join(A, B, scalar("bk = ak")), "ak", MEET),
    (Join(A, B, scalar("ak <=> bk")), "ak", LOW & HIGH),
    (Join(REST, B, scalar("ck = bk")), "ck", HIGH.without_null),
    (Join(A, B, scalar("at = bt")), "at", LOW),
    (Join(A, B, None), "bk", HIGH),
    (SemiJoin(A, B, EQUAL, anti=False), "ak", MEET),
    (SemiJoin(A, B, EQUAL, anti=True), "ak", LOW),
    # What an outer join keeps is not what it matches; beside what it keeps stand NULLs.
    (OuterJoin(A, B, EQUAL, full=False), "ak", LOW),
    (OuterJoin(A, B, EQUAL, full=False), "bk", HIGH | NULL),
    (OuterJoin(A, B, EQUAL, full=True), "ak", LOW | NULL),
    (OuterJoin(A, B, EQUAL, full=True), "bk", HIGH | NULL),
    (OuterJoin(A, REST, scalar("ak = ck"), full=False), "ck", None),
    (TopK(A, (Ordering("ak", False, True),), 1, 0), "ak", None),
)
"""Operator, column, and where it lies."""


def test_every_operator_says_what_it_knows() -> None:
    """No less than is true, and no more."""
    for op, column, lies in KNOWN:
        assert ColumnRanges(SPREAD).of(op, column) == lies, (type(op).__name__, column)


def test_nulls_appear_where_rows_are_kept() -> None:
    """A change without NULLs has them beside what an outer join keeps."""
    plain = ColumnStatistics({"k": Ranges(((1, 5),))})
    left, full = (OuterJoin(A, B, EQUAL, full=full) for full in (False, True))
    values = ColumnRanges({"a": plain, "b": plain})

    assert values.of(left, "ak") == Ranges(((1, 5),))
    assert values.of(left, "bk") == Ranges(((1, 5),), null=True)
    assert values.of(full, "ak") == values.of(full, "bk") == Ranges(((1, 5),), null=True)


def test_comparable_columns_are_those_that_all_pairs_fulfil() -> None:
    """Of plain columns, one of each side, in types whose literals mean the same."""
    told = {
        "ak = bk": [("ak", "bk", False)],
        "bk <=> ak AND av > 1": [("ak", "bk", True)],
        "ak = bk AND bv = av": [("ak", "bk", False), ("av", "bv", False)],
        "ak = bk OR av = bv": [],
        "ak = bk + 1": [],
        "ak = CAST(bk AS INT)": [],
        "CAST(ak AS INT) = bk": [],
        "ak < bk": [],
        "ak = av": [],
        "at = bt": [],
        "NOT ak = bk": [],
    }
    for text, expected in told.items():
        found = comparable_columns(scalar(text), A, B)

        assert [(one.mine, one.other, one.null_safe) for one in found] == expected, text
    assert comparable_columns(None, A, B) == []
