"""join_order: what the terms of a change meet, in which order, on which conditions, and what they meet together."""

from __future__ import annotations

import pytest

from tests.operators.plans import named, scalar, scan
from trickle.delta.differentiate import SourceChange, differentiate
from trickle.delta.join_order import Term, joined_terms
from trickle.delta.join_outward import join_outward
from trickle.delta.simplify import simplify
from trickle.operators import Aggregate, Consolidate, Feed, Filter, Join, Moment, Negate, Project, Scan, UnionAll
from trickle.plan.op import Op
from trickle.plan.row_counts import RowCounts

LINES = scan("lines", "l_order", "l_part")
ORDERS, OLD, MORE = (scan(name, "o_order", "o_customer") for name in ("orders", "old", "more"))
CUSTOMERS = scan("customers", "c_customer", "c_country")
PARTS = scan("parts", "p_part", "p_name")
NATIONS = scan("nations", "n_name")
COUNTS = RowCounts({"lines": 6000, "orders": 1500, "old": 1500, "customers": 150, "parts": 200}, {"lines": 6})
OF_ORDER, OF_CUSTOMER, OF_PART = "l_order = o_order", "o_customer = c_customer", "l_part = p_part"


def changes(source: Scan, alias: str = "c") -> Feed:
    return Feed(source.source, alias, source.columns, only_inserts=False)


def outward(plan: Op, *changed: str) -> Op:
    return join_outward(simplify(differentiate(plan, {name: SourceChange() for name in changed}).delta), COUNTS)


def shape(op: Op) -> str:
    """The order in which tables are met, with the conditions where they are checked."""
    match op:
        case Project():
            return shape(op.child)
        case Filter():
            return f"σ[{op.condition.text}] {shape(op.child)}".replace("`", "")
        case Join():
            left, right = shape(op.left), shape(op.right)
            on = "×" if op.condition is None else f"⋈[{op.condition.text}]"
            return f"{left} {on} {f'({right})' if right.startswith('σ') else right}".replace("`", "")
        case Feed():
            return f"Δ{op.source}"
        case Scan():
            return op.source + ("" if op.at is Moment.AFTER else "⁻")
        case UnionAll():
            return f"({' | '.join(map(shape, op.inputs))})"
        case Consolidate():
            return f"κ({shape(op.child)})"
        case Negate():
            return f"−({shape(op.child)})"
        case _:
            return type(op).__name__


def join(left: Op, right: Op, condition: str) -> Join:
    return Join(left, right, scalar(condition))


def test_unions_within_unions_are_flat() -> None:
    """Every branch is a term, however deep; what all of them meet is read once."""
    every = UnionAll(
        (join(LINES, ORDERS, OF_ORDER), UnionAll((join(LINES, OLD, OF_ORDER), join(LINES, MORE, OF_ORDER))))
    )

    assert shape(outward(join(every, CUSTOMERS, OF_CUSTOMER), "lines")) == (
        "(Δlines ⋈[l_order = o_order] orders | Δlines ⋈[l_order = o_order] old | Δlines ⋈[l_order = o_order] more)"
        " ⋈[o_customer = c_customer] customers"
    )


def test_one_changed_branch_is_one_term() -> None:
    """The others have no change."""
    every = UnionAll((join(LINES, ORDERS, OF_ORDER), UnionAll((join(LINES, OLD, OF_ORDER),) * 2)))

    assert shape(outward(join(every, CUSTOMERS, OF_CUSTOMER), "orders")) == (
        "Δorders ⋈[o_customer = c_customer] customers ⋈[l_order = o_order] lines"
    )


def test_a_union_of_changes_without_joins_is_met_whole() -> None:
    """Each table once, by all of them."""
    every = UnionAll((ORDERS, UnionAll((OLD, MORE))))

    assert shape(outward(join(every, LINES, OF_ORDER), "orders", "old", "more")) == (
        "(Δorders | Δold | Δmore) ⋈[l_order = o_order] lines"
    )


def test_a_filter_between_joins_is_checked_where_it_can_be() -> None:
    """Of one table beside it, of two where the second of them is met."""
    picked = Filter(join(LINES, ORDERS, OF_ORDER), scalar("l_part > 5 AND o_customer > l_part"))
    plan = join(picked, CUSTOMERS, OF_CUSTOMER)

    assert shape(outward(plan, "lines")) == (
        "σ[l_part > 5] Δlines ⋈[l_order = o_order AND o_customer > l_part] orders ⋈[o_customer = c_customer] customers"
    )
    assert shape(outward(plan, "customers")) == (
        "Δcustomers ⋈[o_customer = c_customer] orders"
        " ⋈[l_order = o_order AND o_customer > l_part] (σ[l_part > 5] lines)"
    )


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("lines", "Δlines ⋈[l_order = o_order] orders ⋈[o_customer > c_customer AND SUM] customers"),
        ("orders", "Δorders ⋈[l_order = o_order] lines ⋈[o_customer > c_customer AND SUM] customers"),
        ("customers", "Δcustomers ⋈[o_customer > c_customer] orders ⋈[l_order = o_order AND SUM] lines"),
    ],
)
def test_a_condition_over_three_tables_is_checked_with_the_last(changed: str, expected: str) -> None:
    """Once, whichever of them is met last."""
    joined = join(join(LINES, ORDERS, OF_ORDER), CUSTOMERS, "o_customer > c_customer")
    over_three = "l_part > o_customer + c_country"

    assert shape(outward(Filter(joined, scalar(over_three)), changed)) == expected.replace("SUM", over_three)


def test_an_equality_over_three_tables_connects_the_third() -> None:
    """Not before the other two are joined: until then it says nothing of it."""
    plan = Filter(
        join(join(LINES, ORDERS, OF_ORDER), Join(CUSTOMERS, PARTS, None), "o_customer = c_customer"),
        scalar("p_name = l_part + c_country"),
    )

    assert shape(outward(plan, "lines")) == (
        "Δlines ⋈[l_order = o_order] orders ⋈[o_customer = c_customer] customers ⋈[p_name = l_part + c_country] parts"
    )


def test_what_is_taken_away_stays_taken_away() -> None:
    """A minus between two joins is no place to take them apart: the rows below would come with the wrong sign."""
    away = Negate(join(LINES, changes(ORDERS), OF_ORDER))

    assert shape(join_outward(join(CUSTOMERS, away, OF_CUSTOMER), COUNTS)) == (
        "−(Δorders ⋈[l_order = o_order] lines) ⋈[o_customer = c_customer] customers"
    )


def test_terms_that_reach_each_other_by_other_tables_go_on_together() -> None:
    """A term meets the tables by which another came as well, so that what follows is read once."""
    near = join(join(LINES, ORDERS, OF_ORDER), CUSTOMERS, OF_CUSTOMER)
    plan = join(join(near, PARTS, f"{OF_PART} AND p_name < c_country"), NATIONS, "c_country < n_name")

    assert shape(outward(plan, "lines", "customers")) == (
        "(Δlines ⋈[l_part = p_part] parts ⋈[l_order = o_order] orders"
        " ⋈[o_customer = c_customer AND p_name < c_country] customers"
        " | Δcustomers ⋈[o_customer = c_customer] orders ⋈[l_order = o_order] lines⁻"
        " ⋈[l_part = p_part AND p_name < c_country] parts) ⋈[c_country < n_name] nations"
    )


def test_a_net_change_is_the_beginning() -> None:
    """It is computed whole, what is joined below it as well, and meets the tables as any change does."""
    net = Consolidate(changes(ORDERS))
    plan = join(join(CUSTOMERS, PARTS, "c_country = p_name"), net, OF_CUSTOMER)

    assert shape(join_outward(plan, COUNTS)) == (
        "κ(Δorders) ⋈[o_customer = c_customer] customers ⋈[c_country = p_name] parts"
    )
    inside = Consolidate(join(LINES, changes(ORDERS), OF_ORDER))
    assert shape(join_outward(join(CUSTOMERS, inside, OF_CUSTOMER), COUNTS)) == (
        "κ(Δorders ⋈[l_order = o_order] lines) ⋈[o_customer = c_customer] customers"
    )


def test_old_and_new_groups_meet_every_table_together() -> None:
    """The change of a grouping is one relation, however many tables follow."""
    total = Aggregate(ORDERS, (named("c", "o_customer"),), (named("n", "COUNT(*)"),))
    plan = join(join(CUSTOMERS, total, "c_customer = c"), NATIONS, "c_country = n_name")

    assert shape(outward(plan, "orders")) == (
        "(−(Aggregate) | Aggregate) ⋈[c_customer = c] customers ⋈[c_country = n_name] nations"
    )


NAMES = ("o_order", "c_country", "p_name")
BOTH = "o_customer = c_customer AND c_country = p_name"


def of(source: Scan, condition: str, *tables: Op) -> Term:
    return Term((changes(source), *tables)).where(scalar(condition))


def test_terms_that_go_on_alike_go_on_together() -> None:
    """The same tables wait, on the same conditions."""
    terms = [of(ORDERS, BOTH, CUSTOMERS, PARTS), of(OLD, BOTH, CUSTOMERS, PARTS)]

    assert shape(joined_terms(terms, NAMES, COUNTS)) == (
        "(Δorders | Δold) ⋈[o_customer = c_customer] customers ⋈[c_country = p_name] parts"
    )


@pytest.mark.parametrize(
    ("condition", "second"),
    [
        (
            "o_customer = c_customer AND c_country < p_name",
            "⋈[o_customer = c_customer] customers ⋈[c_country < p_name] parts",
        ),
        (
            f"{BOTH} AND p_part > o_order",
            "⋈[o_customer = c_customer] customers ⋈[c_country = p_name AND p_part > o_order] parts",
        ),
    ],
    ids=["another", "one more"],
)
def test_terms_with_different_conditions_go_on_apart(condition: str, second: str) -> None:
    """Each with its own: together, one would lose rows or the other gain them."""
    terms = [of(ORDERS, BOTH, CUSTOMERS, PARTS), of(OLD, condition, CUSTOMERS, PARTS)]

    assert shape(joined_terms(terms, NAMES, COUNTS)) == (
        f"(Δorders ⋈[o_customer = c_customer] customers ⋈[c_country = p_name] parts | Δold {second})"
    )


def test_conditions_that_the_changes_fulfil_alone_keep_nobody_apart() -> None:
    """They are checked before the two are brought together."""
    terms = [of(ORDERS, f"{BOTH} AND o_order > 5", CUSTOMERS, PARTS), of(OLD, BOTH, CUSTOMERS, PARTS)]

    assert shape(joined_terms(terms, NAMES, COUNTS)) == (
        "(σ[o_order > 5] Δorders | Δold) ⋈[o_customer = c_customer] customers ⋈[c_country = p_name] parts"
    )


def test_terms_with_other_tables_go_on_apart() -> None:
    """One has a table that the other does not need."""
    terms = [of(ORDERS, BOTH, CUSTOMERS, PARTS), of(OLD, "o_customer = c_customer", CUSTOMERS)]

    assert shape(joined_terms(terms, ("o_order",), COUNTS)) == (
        "(Δorders ⋈[o_customer = c_customer] customers ⋈[c_country = p_name] parts"
        " | Δold ⋈[o_customer = c_customer] customers)"
    )


def test_a_condition_over_no_column_is_checked_at_the_end() -> None:
    """No table decides about it; of several terms it is checked once."""
    condition = "o_customer = c_customer AND 1 = 0"
    one = [of(ORDERS, condition, CUSTOMERS)]
    both = [*one, of(OLD, condition, CUSTOMERS)]

    assert shape(joined_terms(one, ("o_order",), COUNTS)) == ("σ[1 = 0] Δorders ⋈[o_customer = c_customer] customers")
    assert shape(joined_terms(both, ("o_order",), COUNTS)) == (
        "σ[1 = 0] (Δorders | Δold) ⋈[o_customer = c_customer] customers"
    )


def test_terms_keep_the_columns_they_are_asked_for() -> None:
    """In their order, apart and together."""
    apart = [of(ORDERS, BOTH, CUSTOMERS, PARTS), of(OLD, f"{BOTH} AND p_part > o_order", CUSTOMERS, PARTS)]
    together = [of(ORDERS, BOTH, CUSTOMERS, PARTS), of(OLD, BOTH, CUSTOMERS, PARTS)]

    for terms in (apart, together):
        assert joined_terms(terms, NAMES[::-1], COUNTS).schema.names == NAMES[::-1]
