"""table_reads: for every operator, which rows of a table the plan of its change reads."""

from __future__ import annotations

from tests.operators.plans import LINES, ORDERS, named, scalar, scan
from tests.passes.test_part_conditions import asking
from trickle.delta.differentiate import SourceChange
from trickle.delta.passes import change_to_apply
from trickle.delta.table_reads import TableRead, table_reads
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
    Recursion,
    Restrict,
    SemiJoin,
    StoredRecursion,
    TopK,
    TouchedKeys,
    UnionAll,
    Window,
    Working,
)
from trickle.plan.clock import ClockCall
from trickle.plan.op import Op
from trickle.plan.read_class import ReadClass, least, worst
from trickle.plan.scalar import Named
from trickle.plan.schema import Column

ON = scalar("id = order_id")
PARTS = scan("parts", "part")
COUNT = (named("n", "COUNT(*)"),)
BY_ORDER = (named("order_id"),)
COUNTED = Aggregate(LINES, BY_ORDER, COUNT)
TOTAL = Aggregate(LINES, (), COUNT)


def reads(op: Op, *changed: str, calls: tuple[ClockCall, ...] = ()) -> set[str]:
    """`table: class` or `table: class by columns`, for the change that would be applied."""
    change = change_to_apply(op, {name: SourceChange() for name in changed}, changed_calls=calls)
    return {shown(read) for read in table_reads(change.delta)}


def shown(read: TableRead) -> str:
    by = f" by {', '.join(read.by)}" if read.by else ""
    return f"{read.source or 'stored'}: {read.read_class.value}{by}"


def test_what_is_linear_reads_nothing_but_changes() -> None:
    """Filters, projections, unions and generators."""
    exploded = Explode(ORDERS, scalar("EXPLODE(ARRAY(amount, 1))"), (Column("made", "int"),), outer=False)
    union = UnionAll((ORDERS, Project(LINES, (named("id", "order_id"), named("amount", "pieces")))))
    plans: tuple[Op, ...] = (ORDERS, Filter(ORDERS, scalar("id > 1")), Project(ORDERS, (named("id"),)), exploded, union)
    for plan in plans:
        assert reads(plan, "orders", "lines") == set(), plan


def test_a_join_reads_the_rows_that_a_change_meets() -> None:
    """Of either side, and of a table that is joined with itself, before and after."""
    again = Project(ORDERS, (named("other", "id"),))

    assert reads(Join(ORDERS, LINES, ON), "orders") == {"lines: by change by order_id"}
    assert reads(Join(ORDERS, LINES, ON), "lines") == {"orders: by change by id"}
    assert reads(Join(ORDERS, again, scalar("id = other")), "orders") == {"orders: by change by id"}
    assert reads(Join(ORDERS, LINES, None), "orders") == {"lines: by change"}


def test_a_chain_of_joins_reads_from_one_to_the_next() -> None:
    """Where each term is joined outward; the join of whole tables that stands without it is whole."""
    chain = Join(Join(ORDERS, LINES, ON), PARTS, scalar("pieces = part"))
    as_written = change_to_apply(chain, {"parts": SourceChange()}, disabled=frozenset({"join_outward"})).delta

    assert reads(chain, "parts") == {"orders: by change by id", "lines: by change by pieces"}
    assert {shown(read) for read in table_reads(as_written)} == {"orders: whole", "lines: whole"}


def test_groups_rows_and_partitions_are_read_again_by_their_keys() -> None:
    """An aggregate, a DISTINCT and a window below the top."""
    pieces = (named("pieces"),)
    window = Window(LINES, pieces, (named("w", "COUNT(*) OVER (PARTITION BY pieces)"),))

    assert reads(COUNTED, "lines") == {"lines: by key by order_id"}
    assert reads(Distinct(LINES), "lines") == {"lines: by key by order_id, pieces"}
    assert reads(window, "lines") == {"lines: by key by pieces"}


def test_the_key_is_named_as_the_table_names_it() -> None:
    """Through projections, also where it is computed of several columns."""
    renamed = Project(LINES, (named("k", "order_id"), named("s", "order_id + pieces")))

    assert reads(Aggregate(renamed, (named("k"),), COUNT), "lines") == {"lines: by key by order_id"}
    assert reads(Aggregate(renamed, (named("s"),), COUNT), "lines") == {"lines: by key by order_id, pieces"}


def test_what_has_no_key_is_whole() -> None:
    """A total, a limit, a window over everything, a group that all rows are in."""
    everything = Window(LINES, (), (named("w", "ROW_NUMBER() OVER (ORDER BY pieces)"),))
    plans: tuple[Op, ...] = (
        TOTAL,
        TopK(LINES, (Ordering("pieces"),), 3, 0),
        everything,
        Aggregate(LINES, (named("k", "1"),), COUNT),
    )
    for plan in plans:
        assert reads(plan, "lines") == {"lines: whole"}, plan


def test_one_of_several_keys_is_enough() -> None:
    """A literal key beside a column is no reason to read everything."""
    assert reads(Aggregate(LINES, (named("k", "1"), named("pieces")), COUNT), "lines") == {"lines: by key by pieces"}


def test_a_branch_whose_key_is_a_literal_is_read_as_a_whole() -> None:
    """One touched key of that value lets all its rows through."""
    kinds = UnionAll(
        (Project(ORDERS, (named("kind", "1"),)), Project(LINES, (named("kind", "pieces"),))),
    )

    assert reads(Aggregate(kinds, (named("kind"),), COUNT), "lines") == {"orders: whole", "lines: by key by pieces"}


def test_groups_of_a_join_read_the_other_side_by_the_join() -> None:
    """Rows of the touched groups first, and what they are joined with."""
    joined = Join(ORDERS, LINES, ON)

    assert reads(Aggregate(joined, (named("id"),), COUNT), "lines") == {
        # The keys of the change are those of the orders it meets.
        "orders: by change by id",
        "orders: by key by id",
        "lines: by key by order_id",
    }
    assert reads(Aggregate(joined, (named("amount"), named("pieces")), COUNT), "lines") == {
        "orders: by change by id",
        "orders: whole",
        "lines: whole",
    }


def test_touched_groups_that_are_joined_without_a_key_read_everything() -> None:
    """Each touched group has all rows of the other table."""
    crossed = Aggregate(Join(ORDERS, LINES, None), (named("id"),), COUNT)

    assert reads(crossed, "orders") == {"lines: by change", "lines: whole", "orders: by key by id"}


def test_a_grouping_is_read_by_the_rows_that_it_is_joined_with() -> None:
    """Where the join's condition names its keys; else all groups are computed."""
    by_count = Join(ORDERS, COUNTED, scalar("amount = n"))

    assert reads(Join(ORDERS, COUNTED, ON), "orders") == {"lines: by key by order_id"}
    assert reads(by_count, "orders") == {"lines: whole"}


def test_a_match_is_asked_for_again_by_key() -> None:
    """When the right side of EXISTS, IN or an outer join changes; a left row that changes looks for its own."""
    of_lines: tuple[Op, ...] = (
        SemiJoin(ORDERS, LINES, ON, anti=False),
        SemiJoin(ORDERS, LINES, ON, anti=True),
        MarkJoin(ORDERS, LINES, ON, "m"),
    )
    again = {"orders: by key by id", "lines: by key by order_id"}
    for plan in of_lines:
        assert reads(plan, "orders") == {"lines: by change by order_id"}, plan
        assert reads(plan, "lines") == again, plan
    left = OuterJoin(ORDERS, LINES, ON, full=False)
    assert reads(left, "orders") == {"lines: by change by order_id"}
    assert reads(left, "lines") == {*again, "orders: by change by id"}
    full = OuterJoin(ORDERS, LINES, ON, full=True)
    assert reads(full, "orders") == {*again, "lines: by change by order_id"}
    assert reads(full, "lines") == {*again, "orders: by change by id"}


def test_a_match_without_a_key_is_asked_for_by_all_rows() -> None:
    """Whether any row exists at all is an answer for every row."""
    assert reads(SemiJoin(ORDERS, LINES, None, anti=False), "lines") == {"orders: whole", "lines: whole"}


def test_a_condition_on_one_side_is_no_key() -> None:
    """It filters that side, and says nothing of which rows a touched key meets."""
    both = scalar("id = order_id AND pieces > 1")

    assert reads(SemiJoin(ORDERS, LINES, both, anti=False), "lines") == {
        "orders: by key by id",
        "lines: by key by order_id",
    }
    assert "lines: whole" in reads(SemiJoin(ORDERS, LINES, scalar("pieces > 1"), anti=False), "lines")


def test_a_match_in_a_join_is_by_key() -> None:
    """The table that has the key is restricted before it is joined, and the other to the rows that it meets."""
    both = Join(ORDERS, PARTS, scalar("amount = part"))

    assert reads(SemiJoin(both, LINES, ON, anti=False), "lines") == {
        "lines: by key by order_id",
        "orders: by key by id",
        "parts: by key by part",
    }


def test_a_value_that_every_row_is_compared_with_is_whole() -> None:
    """A total moves, and any row may be on its other side."""
    above = SemiJoin(ORDERS, TOTAL, scalar("amount > n"), anti=False)

    assert reads(above, "lines") == {"lines: whole", "orders: whole"}
    assert reads(above, "orders") == {"lines: whole"}


def test_a_recursion_follows_its_change_through_the_tables_of_its_step() -> None:
    """Rows of the storage that a changed step meets, and rows of the table that each round meets."""
    anchor = Project(ORDERS, (named("at", "id"),))
    working = Working("r", anchor.schema)
    step = Project(Join(working, LINES, scalar("at = order_id")), (named("at", "pieces"),))
    recursion = Recursion(anchor, step, "r", slot="1")

    assert reads(recursion, "orders") == {"lines: by change by order_id"}
    assert reads(recursion, "lines") == {"stored: by change", "lines: by change by order_id"}


def test_the_clock_reads_a_range_of_the_column_it_bounds() -> None:
    """Where it bounds none, or every row shows it, every row is looked at."""
    calls = (ClockCall("unix_timestamp"),)
    late, other = asking("id > now"), asking("id + now > 7")

    assert reads(Filter(ORDERS, late), calls=calls) == {"orders: by key by id"}
    assert reads(Filter(ORDERS, other), calls=calls) == {"orders: whole"}
    assert reads(Project(ORDERS, (Named("age", asking("now - id")),)), calls=calls) == {"orders: whole"}
    assert reads(Filter(ORDERS, scalar("id > 1")), calls=calls) == set()


def test_a_restriction_by_what_is_no_change_restricts_nothing() -> None:
    """Keys of a whole table are not few."""
    keys = TouchedKeys(LINES, (named("k", "order_id"),))

    assert table_reads(Aggregate(Restrict(ORDERS, keys, (named("k", "id"),)), (), COUNT)) == {
        TableRead("orders", ReadClass.WHOLE),
        TableRead("lines", ReadClass.WHOLE),
    }


def test_stored_rows_are_read_like_a_table() -> None:
    """Those of a recursion inside the view."""
    stored = StoredRecursion("1", ORDERS.schema)

    assert table_reads(Distinct(stored)) == {TableRead(None, ReadClass.WHOLE)}


def test_classes_are_in_the_order_of_what_they_read() -> None:
    """Of several, the view has the worst; of two sides of a join the narrower decides."""
    by_change, by_key, whole, recompute = ReadClass

    assert worst(()) is by_change
    assert worst((by_key, by_change)) is by_key and worst((whole, by_key)) is whole
    assert worst((recompute, whole)) is recompute
    assert least((whole, by_key)) is by_key
