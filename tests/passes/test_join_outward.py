"""join_outward: every term of a join's change begins at its change."""

from __future__ import annotations

from tests.operators.plans import named, scalar, scan
from trickle.delta.differentiate import SourceChange, differentiate
from trickle.delta.join_outward import join_outward
from trickle.delta.simplify import simplify
from trickle.operators import Aggregate, Feed, Filter, Join, Moment, Project, Scan, UnionAll
from trickle.plan.op import Op
from trickle.plan.row_counts import RowCounts

LINES = scan("lines", "l_order", "l_part")
ORDERS = scan("orders", "o_order", "o_customer")
CUSTOMERS = scan("customers", "c_customer", "c_country")
PARTS = scan("parts", "p_part", "p_name")
COUNTS = RowCounts({"lines": 6000, "orders": 1500, "customers": 150, "parts": 200}, {"lines": 6, "customers": 1})

SALES = Join(
    Join(
        Join(CUSTOMERS, ORDERS, scalar("c_customer = o_customer")),
        LINES,
        scalar("o_order = l_order"),
    ),
    PARTS,
    scalar("l_part = p_part"),
)


def outward(plan: Op, *changed: str, counts: RowCounts = COUNTS) -> Op:
    return join_outward(simplify(differentiate(plan, {name: SourceChange() for name in changed}).delta), counts)


def order(op: Op) -> str:
    """A term as the order in which its tables are met."""
    match op:
        case Project() | Filter():
            return order(op.child)
        case Join():
            return f"{order(op.left)} {order(op.right)}"
        case Feed():
            return f"Δ{op.source}"
        case Scan():
            return op.source + ("" if op.at is Moment.AFTER else "⁻")
        case UnionAll() if all(isinstance(branch, (Project, Join)) for branch in op.inputs):
            return f"({' | '.join(order(branch) for branch in op.inputs)})"
        case _:
            return type(op).__name__


def terms(op: Op) -> list[str]:
    return [order(branch) for branch in op.inputs] if isinstance(op, UnionAll) else [order(op)]


def test_a_change_is_met_by_the_nearest_tables_first() -> None:
    """Those of which a row meets one row come before those of which it meets several."""
    assert terms(outward(SALES, "lines")) == ["Δlines parts orders customers"]
    assert terms(outward(SALES, "customers")) == ["Δcustomers orders lines parts"]
    assert terms(outward(SALES, "parts")) == ["Δparts lines orders customers"]


def test_changed_tables_give_as_many_flat_terms() -> None:
    """Each with the tables on the one side of its change after, and those on the other before."""
    assert terms(outward(SALES, "lines", "orders", "customers", "parts")) == [
        "Δcustomers orders lines parts",
        "Δorders customers⁻ lines parts",
        "Δlines parts orders⁻ customers⁻",
        "Δparts lines⁻ orders⁻ customers⁻",
    ]


def test_tables_that_connect_no_changes_are_met_by_all_terms_together() -> None:
    """Each of them is read once."""
    assert terms(outward(SALES, "lines", "orders")) == ["(Δorders lines | Δlines orders⁻) customers parts"]
    assert terms(outward(SALES, "lines", "orders", "customers")) == [
        "(Δcustomers orders lines | Δorders customers⁻ lines | Δlines orders⁻ customers⁻) parts"
    ]
    assert terms(outward(SALES, "customers", "parts")) == [
        "Δcustomers orders lines parts",
        "Δparts lines orders customers⁻",
    ]


def test_a_column_has_no_more_values_than_the_smallest_table_it_equals() -> None:
    """Two hundred parts of five countries: a customer meets forty of them, and one order each."""
    countries = scan("countries", "n_name")
    local = Join(SALES, countries, scalar("c_country = n_name AND p_name = n_name"))
    counts = RowCounts({**COUNTS.tables, "countries": 5}, COUNTS.changed)

    assert terms(outward(local, "customers", counts=counts)) == ["Δcustomers countries orders lines parts"]


def test_a_table_on_which_conditions_lie_is_met_before_others() -> None:
    """It leaves fewer rows; the condition is printed beside it."""
    picked = Filter(SALES, scalar("p_name LIKE '%green%' AND c_country = 'NL' AND o_order <> p_part"))

    changed = outward(picked, "orders")

    assert terms(changed) == ["Δorders customers lines parts"]
    assert terms(outward(Filter(SALES, scalar("c_country = 'NL'")), "lines")) == ["Δlines parts orders customers"]
    assert isinstance(changed, Project) and isinstance(changed.child, Join)
    assert isinstance(changed.child.right, Filter) and changed.child.condition is not None
    assert "o_order" in changed.child.condition.text and "p_part" in changed.child.condition.text


def test_a_table_that_no_condition_connects_is_met_last() -> None:
    """A product is computed of what is left."""
    crossed = Join(Join(LINES, CUSTOMERS, None), PARTS, scalar("l_part = p_part"))

    assert terms(outward(crossed, "lines")) == ["Δlines parts customers"]


def test_columns_keep_their_order() -> None:
    """Whoever reads the change knows nothing of it."""
    assert outward(SALES, "lines").schema.names == SALES.schema.names


def test_a_change_that_is_no_join_stays_whole() -> None:
    """Every table meets all of it at once: a grouping's old and new rows are not joined apart from each other."""
    total = Aggregate(ORDERS, (named("c", "o_customer"),), (named("n", "COUNT(*)"),))

    assert terms(outward(Join(CUSTOMERS, total, scalar("c_customer = c")), "orders")) == ["UnionAll customers"]


def test_a_change_that_is_read_twice_stays_whole() -> None:
    """Flattened, it would be computed for each of its readers."""
    pairs = Join(LINES, ORDERS, scalar("l_order = o_order"))
    total = Aggregate(pairs, (named("c", "o_customer"),), (named("n", "COUNT(*)"),))
    view = Join(pairs, total, scalar("o_customer = c"))

    assert terms(outward(view, "lines", "orders"))[0] == "(Δlines orders | Δorders lines⁻) Restrict"


def test_tables_of_unknown_size_are_met_in_the_order_written() -> None:
    """Among those that are connected."""
    assert terms(outward(SALES, "lines", counts=RowCounts())) == ["Δlines orders customers parts"]
