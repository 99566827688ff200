"""behind: when rows that came are known to stand behind all others, from what the log says of files."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.operators.plans import LINES, ORDERS, named, scalar
from trickle.delta.appends_at_end import appends_at_end
from trickle.delta.differentiate import SourceChange, differentiate
from trickle.delta.simplify import simplify
from trickle.layouts.series import Series, series_of
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
    Stored,
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
from trickle.plan.ranges import ColumnStatistics, FileStatistics, Ranges
from trickle.plan.schema import Column

NUMBERED = "ROW_NUMBER() OVER (ORDER BY amount)"
FALLING = "ROW_NUMBER() OVER (ORDER BY amount DESC)"
CAME = 2
"""Rows of the change."""


def series(call: str, child: Op = ORDERS) -> Series:
    window = Window(child, (), (named("place", call),))
    found = series_of(window, window.schema)
    assert found is not None
    return found


def last(layout: Series, came: Ranges, *files: FileStatistics, only_inserts: bool = True) -> bool:
    """Whether orders with amounts in `came` stand last; `files` are those of all orders."""
    delta = change_of(layout.input, only_inserts)
    return appends_at_end(delta, layout, {"orders": ColumnStatistics({"amount": came}, files)}, {"orders": CAME})


def change_of(op: Op, only_inserts: bool = True) -> Op:
    return simplify(differentiate(op, {"orders": SourceChange(only_inserts=only_inserts)}).delta)


def between(*intervals: tuple[int, int], null: bool = False) -> Ranges:
    return Ranges(intervals, null)


def file(*intervals: tuple[int, int], null: bool = False, rows: int | None = 5) -> FileStatistics:
    return FileStatistics(100, {"amount": Ranges(intervals, null)}, rows)


NEW = between((10, 12))
ITSELF = file((10, 12), rows=CAME)


def test_files_that_end_before_the_new_rows_begin() -> None:
    """All others hold as many rows as came, so the new ones and no others."""
    assert last(series(NUMBERED), NEW, file((1, 9)), ITSELF)
    assert not last(series(NUMBERED), NEW, file((1, 9)), file((10, 12), rows=CAME + 1))
    assert not last(series(NUMBERED), NEW, file((1, 10)), ITSELF), "a row that ties may stand behind"
    assert not last(series(NUMBERED), NEW, file((1, 2), (11, 13)), ITSELF)


def test_the_nearest_of_the_new_rows_counts() -> None:
    """In the order that is asked for: the smallest, or where it falls the greatest."""
    assert not last(series(NUMBERED), between((10, 11), (20, 21)), file((1, 15)), ITSELF)
    assert not last(series(FALLING), between((1, 1), (3, 4)), file((2, 9)), ITSELF)
    assert last(series(FALLING), between((1, 1), (3, 4)), file((5, 9)), file((1, 4), rows=CAME))
    assert not last(series(FALLING), between((1, 1), (3, 4)), file((4, 9)), file((1, 4), rows=CAME))


def test_null_stands_where_the_order_puts_it() -> None:
    """First when it rises, last when it falls."""
    assert last(series(NUMBERED), NEW, file((1, 9), null=True), ITSELF)
    assert not last(series(FALLING), between((1, 2)), file((5, 9), null=True), file((1, 2), rows=CAME))
    assert not last(series(NUMBERED), between((10, 12), null=True), file((1, 9)), ITSELF)


def test_what_the_log_does_not_say_proves_nothing() -> None:
    """No file known, a column without statistics, rows that are not counted: the stretch is replaced."""
    unknown = ((), (FileStatistics(100, {}, 5), ITSELF), (file((1, 9)), file((10, 12), rows=None)))
    for files in unknown:
        assert not last(series(NUMBERED), NEW, *files), files


def test_nothing_is_known_of_a_source_the_log_was_not_asked_about() -> None:
    """No spread, no proof; and no value, no place."""
    layout = series(NUMBERED)

    assert not appends_at_end(change_of(layout.input), layout, {}, {"orders": CAME})
    assert not last(layout, between(), file((1, 9)), ITSELF)


def test_an_answer_that_looks_ahead_or_another_order_forbids_it() -> None:
    """The row before a new one has another answer; an expression has no statistics; parts of a whole all move."""
    calls = (
        "LEAD(id) OVER (ORDER BY amount)",
        "ROW_NUMBER() OVER (ORDER BY amount + 1)",
        "NTILE(2) OVER (ORDER BY amount)",
    )
    for call in calls:
        assert not last(series(call), NEW, file((1, 9)), ITSELF), call


def test_what_may_also_take_rows_away_forbids_it() -> None:
    """A row that went may have stood anywhere."""
    assert not last(series(NUMBERED), NEW, file((1, 9)), ITSELF, only_inserts=False)


MEETS = scalar("id = order_id")
ABOVE: Mapping[str, tuple[Op, str]] = {
    "project": (Project(ORDERS, (named("price", "amount"),)), "price"),
    "filter": (Filter(ORDERS, scalar("id > 1")), "amount"),
    "window": (Window(ORDERS, (named("part", "id"),), (named("n", "COUNT(*) OVER (PARTITION BY id)"),)), "amount"),
    "semi": (SemiJoin(ORDERS, LINES, MEETS, anti=False), "amount"),
    "mark": (MarkJoin(ORDERS, LINES, MEETS, "met"), "amount"),
    "join, left": (Join(ORDERS, LINES, MEETS), "amount"),
    "join, right": (Join(LINES, ORDERS, MEETS), "amount"),
}


def test_a_column_is_followed_to_the_source_it_is_of() -> None:
    """Through every operator that passes it on row for row."""
    for name, (child, order) in ABOVE.items():
        layout = series(f"ROW_NUMBER() OVER (ORDER BY {order})", child)
        # The change of a window takes rows away: the change of what lies under it stands for one that does not.
        delta = change_of(ORDERS if name == "window" else layout.input)

        statistics = {"orders": ColumnStatistics({"amount": NEW}, (file((1, 9)), ITSELF))}
        assert appends_at_end(delta, layout, statistics, {"orders": CAME}), name


def test_a_column_that_is_of_no_source_proves_nothing() -> None:
    """Computed, made distinct, another window's answer: its values are not those of which the log speaks."""
    answered = Window(ORDERS, (named("part", "id"),), (named("amount_there", "COUNT(*) OVER (PARTITION BY id)"),))
    marked = MarkJoin(ORDERS, LINES, MEETS, "met")
    of_none: tuple[tuple[Op, str], ...] = (
        (Project(ORDERS, (named("amount", "amount + 1"),)), "amount"),
        (Distinct(ORDERS), "amount"),
        (answered, "amount_there"),
        (marked, "met"),
    )
    for child, order in of_none:
        layout = series(f"ROW_NUMBER() OVER (ORDER BY {order})", child)
        delta = Project(change_of(ORDERS), (named(layout.by[0].this.name, "amount"),))

        statistics = {"orders": ColumnStatistics({"amount": NEW}, (file((1, 9)), ITSELF))}
        assert not appends_at_end(delta, layout, statistics, {"orders": CAME}), order


KEYS = TouchedKeys(ORDERS, (named("id"), named("amount")))
ELSEWHERE: tuple[Op, ...] = (
    Accumulate(ORDERS, (named("amount"),), (named("n", "COUNT(*)"),), True),
    Aggregate(ORDERS, (named("amount"),), (named("n", "COUNT(*)"),)),
    Consolidate(ORDERS),
    Distinct(ORDERS),
    Empty(ORDERS.schema),
    Explode(ORDERS, scalar("EXPLODE(ARRAY(id))"), (Column("made", "int"),), outer=False),
    Feed("orders", "orders", ORDERS.columns, only_inserts=True),
    Lookup(KEYS, Project(ORDERS, (named("k", "id"), named("v", "amount"))), (("id", "k"),)),
    Negate(ORDERS),
    OuterJoin(ORDERS, LINES, scalar("id = order_id"), full=False),
    Recompute(ORDERS.schema, ()),
    Recursion(ORDERS, Working("round", ORDERS.schema), "round"),
    Restrict(ORDERS, KEYS, (named("id"),)),
    Stored(ORDERS.schema),
    StoredRecursion("tree", ORDERS.schema),
    TopK(ORDERS, (Ordering("amount"),), 3, 0),
    KEYS,
    UnionAll((ORDERS, ORDERS)),
    Values(tuple(ORDERS.schema), ()),
    Within(ORDERS, "amount", Ranges(((1, 5),)), 0.5),
    Working("round", ORDERS.schema),
    Filter(Project(ORDERS, (named("amount", "amount + 1"),)), scalar("amount > 1")),
    Window(ORDERS, (), (named("w", "COUNT(*) OVER ()"),)),
)


@pytest.mark.parametrize("op", ELSEWHERE, ids=lambda op: type(op).__name__)
def test_rows_of_any_other_operator_are_not_those_of_a_file(op: Op) -> None:
    """What the files of the source hold says nothing of them, or nothing is known of it."""
    layout = series("ROW_NUMBER() OVER (ORDER BY w)" if isinstance(op, Window) else NUMBERED, op)
    added = change_of(ORDERS)
    known = {"orders": ColumnStatistics({"amount": NEW, "w": NEW}, (file((1, 9)), ITSELF))}

    assert not appends_at_end(added, layout, known, {"orders": CAME})
