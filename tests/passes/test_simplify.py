"""simplify: what each operator becomes over nothing, and what must stay."""

from __future__ import annotations

from tests.operators.plans import LINES, ORDERS, change_of, named, scalar
from trickle.delta.simplify import simplify
from trickle.operators import (
    Aggregate,
    ClockDelta,
    Consolidate,
    Distinct,
    Empty,
    Explode,
    Filter,
    Join,
    MarkJoin,
    Negate,
    Ordering,
    OuterJoin,
    Project,
    Restrict,
    SemiJoin,
    TopK,
    TouchedKeys,
    UnionAll,
    Window,
)
from trickle.plan.op import Op
from trickle.plan.schema import Column
from trickle.plan.show import show

NO_ORDERS, NO_LINES = Empty(ORDERS.schema), Empty(LINES.schema)
FEED = change_of(ORDERS, "orders").delta
ON, KEY, MORE = scalar("id = order_id"), named("id"), scalar("id > 1")
COUNTED = named("n", "COUNT(*)")
PLACE = named("place", "RANK() OVER (PARTITION BY id ORDER BY amount)")

NOTHING: tuple[Op, ...] = (
    Filter(NO_ORDERS, MORE),
    Project(NO_ORDERS, (KEY,)),
    Negate(NO_ORDERS),
    Consolidate(NO_ORDERS),
    Explode(NO_ORDERS, scalar("EXPLODE(ARRAY(1))"), (Column("made", "int"),), False),
    Explode(NO_ORDERS, scalar("EXPLODE(ARRAY(1))"), (Column("made", "int"),), True),
    Distinct(NO_ORDERS),
    TouchedKeys(NO_ORDERS, (KEY,)),
    Window(NO_ORDERS, (KEY,), (PLACE,)),
    ClockDelta(NO_ORDERS, MORE, scalar("id > 2")),
    TopK(NO_ORDERS, (Ordering("id", False, True),), 1, 0),
    Aggregate(NO_ORDERS, (KEY,), (COUNTED,)),
    Join(NO_ORDERS, LINES, ON),
    Join(ORDERS, NO_LINES, ON),
    Restrict(NO_ORDERS, TouchedKeys(FEED, (KEY,)), (KEY,)),
    Restrict(ORDERS, TouchedKeys(NO_ORDERS, (KEY,)), (KEY,)),
    SemiJoin(NO_ORDERS, LINES, ON, anti=False),
    SemiJoin(NO_ORDERS, LINES, ON, anti=True),
    SemiJoin(ORDERS, NO_LINES, ON, anti=False),
    MarkJoin(NO_ORDERS, LINES, ON, "found"),
    MarkJoin(NO_ORDERS, NO_LINES, ON, "found"),
    OuterJoin(NO_ORDERS, LINES, ON, full=False),
    OuterJoin(NO_ORDERS, NO_LINES, ON, full=False),
    OuterJoin(NO_ORDERS, NO_LINES, ON, full=True),
    UnionAll((NO_ORDERS, NO_ORDERS)),
    UnionAll((NO_ORDERS, UnionAll((NO_ORDERS, NO_ORDERS)))),
    Negate(Negate(NO_ORDERS)),
    Filter(Join(ORDERS, NO_LINES, ON), MORE),
)


def test_over_nothing_it_is_nothing() -> None:
    """op(∅) = ∅, with the columns it had."""
    for op in NOTHING:
        simple = simplify(op)

        assert isinstance(simple, Empty), show(op)
        assert simple.schema.names == op.schema.names, show(op)


def test_what_stays_over_nothing() -> None:
    """A grand total has a row for no rows; what was not matched is kept, beside NULLs or beside FALSE."""
    total = Aggregate(NO_ORDERS, (), (COUNTED,))
    left, full = OuterJoin(ORDERS, NO_LINES, ON, full=False), OuterJoin(ORDERS, NO_LINES, ON, full=True)
    other = OuterJoin(NO_ORDERS, LINES, ON, full=True)

    assert simplify(total) is total
    assert simplify(SemiJoin(ORDERS, NO_LINES, ON, anti=True)) is ORDERS
    assert show(simplify(left)) == show(simplify(full)) == show(left.padded(ORDERS))
    assert show(simplify(other)) == show(other.padded(LINES))
    assert simplify(other).schema.names == other.schema.names
    marked = simplify(MarkJoin(ORDERS, NO_LINES, ON, "found"))
    assert show(marked).startswith("Project(id, amount, FALSE AS found)\n  Scan(orders")


def test_what_holds_rows_is_left_alone() -> None:
    """Nothing here is empty, so nothing is another node than it was."""
    kept: tuple[Op, ...] = (
        Filter(ORDERS, MORE),
        Distinct(ORDERS),
        Aggregate(ORDERS, (KEY,), (COUNTED,)),
        Join(ORDERS, LINES, ON),
        SemiJoin(ORDERS, LINES, ON, anti=True),
        OuterJoin(ORDERS, LINES, ON, full=True),
        MarkJoin(ORDERS, LINES, ON, "found"),
        Restrict(ORDERS, TouchedKeys(FEED, (KEY,)), (KEY,)),
        Negate(FEED),
        UnionAll((FEED, ORDERS)),
    )

    assert all(simplify(op) is op for op in kept)


def test_minus_minus_is_plus() -> None:
    """−−ΔR = ΔR; of a plain relation a double minus makes a signed one, which it must stay."""
    twice = Negate(Negate(ORDERS))

    assert simplify(Negate(Negate(FEED))) is FEED
    assert show(simplify(twice)) == show(twice)
    assert simplify(Negate(Negate(Negate(FEED)))).signed


def test_unions_are_flat_and_hold_what_is_there() -> None:
    """(A ⊎ ∅) ⊎ (B ⊎ C) = A ⊎ B ⊎ C, in that order; one branch alone is itself."""
    first, second, third = Filter(ORDERS, MORE), Filter(ORDERS, scalar("id > 2")), Distinct(ORDERS)
    nested = UnionAll((UnionAll((first, NO_ORDERS)), UnionAll((second, third))))

    assert show(simplify(nested)) == show(UnionAll((first, second, third)))
    assert simplify(UnionAll((NO_ORDERS, first))) is first
    assert simplify(UnionAll((first, NO_ORDERS, NO_ORDERS))) is first
    assert show(simplify(UnionAll((first, UnionAll((first, first)))))) == show(UnionAll((first, first, first)))
