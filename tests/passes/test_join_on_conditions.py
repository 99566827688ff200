"""join_on_conditions: what only WHERE connects is joined on it, and nothing else changes."""

from __future__ import annotations

import pytest

from tests.facts import compiled
from tests.operators.plans import LINES, ORDERS, change_of, scalar, scan
from trickle import Column, Name, Relation, Table
from trickle.operators import Filter, Join, OuterJoin, Project
from trickle.options import Options
from trickle.plan.clock import ClockCall
from trickle.plan.op import Op, walk
from trickle.plan.scalar import Scalar
from trickle.rewrite.join_on_conditions import join_on_conditions

ITEMS = scan("items", "item", "piece")
SHOPS = scan("shops", "shop", "place")


def where(text: str, *relations: Op) -> Op:
    """FROM the relations, with commas, WHERE the text."""
    joined, *rest = relations
    for one in rest:
        joined = Join(joined, one, None)
    return Filter(joined, scalar(text))


def steps(op: Op) -> list[str]:
    """The relations in the order in which they are joined, each with its condition."""
    if not isinstance(op, Join):
        return [op.schema.names[0]]
    condition = "" if op.condition is None else op.condition.text
    return [*steps(op.left), f"{op.right.schema.names[0]} ON {condition}"]


def test_each_relation_is_joined_on_what_connects_it() -> None:
    """What is about one relation alone stays above, and is asked of the joined rows."""
    found = join_on_conditions(where("id = order_id AND amount > 5 AND pieces = piece", ORDERS, LINES, ITEMS))

    assert isinstance(found, Filter)
    assert found.condition.text == "amount > 5"
    assert steps(found.child) == ["id", "order_id ON id = order_id", "item ON pieces = piece"]


def test_a_relation_waits_until_something_connects_it() -> None:
    """Written between two that belong together, it would be multiplied with the first; the columns keep their order."""
    found = join_on_conditions(where("id = order_id AND pieces = piece", ORDERS, ITEMS, LINES))

    assert isinstance(found, Project)
    assert steps(found.child) == ["id", "order_id ON id = order_id", "item ON pieces = piece"]
    assert found.schema.names == (*ORDERS.schema.names, *ITEMS.schema.names, *LINES.schema.names)


def test_a_condition_on_three_relations_is_asked_when_all_are_there() -> None:
    """And what nothing connects stays a product."""
    found = join_on_conditions(where("id + order_id = item", ORDERS, LINES, ITEMS, SHOPS))

    assert steps(found) == ["id", "order_id ON ", "item ON id + order_id = item", "shop ON "]


def test_no_product_is_left_in_a_long_list_of_tables() -> None:
    """However far apart the tables stand that a condition connects."""
    tables = [scan(f"t{place}", f"k{place}", f"n{place}") for place in range(12)]
    text = " AND ".join(f"n{place} = k{place + 1}" for place in range(11))
    for order in (tables, [*tables[::2], *tables[1::2]], [*tables[:1], *reversed(tables[1:])]):
        found = join_on_conditions(where(text, *order))
        assert all(join.condition is not None for join in walk(found) if isinstance(join, Join))
        delta = change_of(found, *(f"t{place}" for place in range(12))).delta
        assert all(join.condition is not None for join in walk(delta) if isinstance(join, Join))


def test_joins_that_have_their_conditions_stay_as_they_are() -> None:
    """And so do products that nothing connects, and what only the clock is asked about."""
    explicit = Filter(Join(ORDERS, LINES, scalar("id = order_id")), scalar("amount > pieces"))
    assert join_on_conditions(explicit) is explicit
    product = where("amount > 5 AND pieces < 3", ORDERS, LINES)
    assert join_on_conditions(product) is product
    outer = Filter(OuterJoin(ORDERS, LINES, scalar("TRUE"), full=False), scalar("id = order_id"))
    assert join_on_conditions(outer) is outer
    now = ClockCall("unix_timestamp", False).tree()
    timed = scalar("id + order_id > amount").tree.transform(
        lambda node: now.copy() if getattr(node, "name", "") == "amount" else node
    )
    clock = Filter(Join(ORDERS, LINES, None), Scalar(timed))
    assert join_on_conditions(clock) is clock


def test_an_outer_join_is_one_relation() -> None:
    """Its own condition says which rows are kept, and stays with it."""
    outer = OuterJoin(ORDERS, LINES, scalar("id = order_id"), full=False)
    found = join_on_conditions(where("pieces = piece", outer, ITEMS))
    assert isinstance(found, Join)
    assert found.left is outer
    assert steps(found) == ["id", "item ON pieces = piece"]


TEXTS = (
    "select o.id, l.pieces from orders o, lines l where o.id = l.order_id",
    "select o.id, sum(l.pieces) as n from orders o, items i, lines l where o.id = l.order_id and i.piece = l.pieces "
    "group by o.id having count(*) > 1",
    "select distinct o.id from orders o, lines l where o.id = l.order_id and o.amount > 3",
    "select o.id, l.pieces from orders o, lines l where o.id = l.order_id order by pieces limit 3",
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_table_that_was_built_without_it_goes_on(text: str) -> None:
    """The definition, which is what the table means and how it is laid out, is the same."""
    scans = {one.source: one for one in (ORDERS, LINES, ITEMS)}

    def resolve(name: Name) -> Relation | None:
        return Table(name, tuple(Column(one.source, "int") for one in scans[name[-1]].columns))

    without = Options(disabled_rewrites=frozenset({"join_on_conditions"}))
    assert compiled(text, resolve).definition == compiled(text, resolve, options=without).definition
