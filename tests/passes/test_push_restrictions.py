"""push_restrictions: how far down a restriction goes, and under which names."""

from __future__ import annotations

from tests.operators.plans import LINES, ORDERS, change_of, named, scalar
from trickle.delta.push_restrictions import push_restrictions
from trickle.operators import (
    Accumulate,
    Aggregate,
    ClockDelta,
    Distinct,
    Explode,
    Filter,
    Join,
    MarkJoin,
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
from trickle.plan.scalar import Named
from trickle.plan.schema import Column
from trickle.plan.show import show

FEED = change_of(ORDERS, "orders").delta
ON, MORE = scalar("id = order_id"), scalar("id > 1")
KEYS = TouchedKeys(FEED, (named("key", "id"),))
OTHERS = TouchedKeys(FEED, (named("other", "amount"),))
BY = (named("key", "id"),)
GENERATED_PREFIX = Column("made", "int")
SUMMED = (named("rows", "SUM(__trickle_weight)"),)
ELEMENTS = scalar("EXPLODE(ARRAY(amount, 1))")


def by(text: str, keys: Op = KEYS) -> tuple[Named, ...]:
    (name,) = keys.schema.names
    return (named(name, text),)


def below(op: Op, text: str = "id") -> Op:
    return Restrict(op, KEYS, by(text))


ORDERS_BELOW = below(ORDERS)
LINES_BELOW = below(LINES, "order_id")

SUNK: tuple[tuple[Op, str, Op], ...] = (
    (Filter(ORDERS, MORE), "id", Filter(ORDERS_BELOW, MORE)),
    (Distinct(ORDERS), "id", Distinct(ORDERS_BELOW)),
    (ClockDelta(ORDERS, MORE, scalar("id > 2")), "id", ClockDelta(ORDERS_BELOW, MORE, scalar("id > 2"))),
    (
        Project(ORDERS, (named("n", "id + 1"),)),
        "n * 2",
        Project(below(ORDERS, "(id + 1) * 2"), (named("n", "id + 1"),)),
    ),
    (
        Aggregate(ORDERS, (named("g", "id + 1"), named("amount")), (named("n", "COUNT(*)"),)),
        "g",
        Aggregate(below(ORDERS, "id + 1"), (named("g", "id + 1"), named("amount")), (named("n", "COUNT(*)"),)),
    ),
    (
        Accumulate(FEED, (named("g", "id + 1"), named("amount")), SUMMED, True),
        "g",
        Accumulate(below(FEED, "id + 1"), (named("g", "id + 1"), named("amount")), SUMMED, True),
    ),
    (
        Accumulate(FEED, (named("g", "id"),), SUMMED, False),
        "g",
        Accumulate(below(FEED), (named("g", "id"),), SUMMED, False),
    ),
    (
        Window(ORDERS, (named("p", "id"), named("q", "amount")), (named("w", "COUNT(*) OVER (PARTITION BY id)"),)),
        "id",
        Window(
            ORDERS_BELOW, (named("p", "id"), named("q", "amount")), (named("w", "COUNT(*) OVER (PARTITION BY id)"),)
        ),
    ),
    (UnionAll((ORDERS, Filter(ORDERS, MORE))), "id", UnionAll((ORDERS_BELOW, Filter(ORDERS_BELOW, MORE)))),
    (
        Explode(ORDERS, ELEMENTS, (GENERATED_PREFIX,), False),
        "id",
        Explode(ORDERS_BELOW, ELEMENTS, (GENERATED_PREFIX,), False),
    ),
    (Join(ORDERS, LINES, ON), "id", Join(ORDERS_BELOW, LINES, ON)),
    (Join(ORDERS, LINES, ON), "order_id", Join(ORDERS, LINES_BELOW, ON)),
    (SemiJoin(ORDERS, LINES, ON, anti=True), "id", SemiJoin(ORDERS_BELOW, LINES, ON, anti=True)),
    (SemiJoin(ORDERS, LINES, ON, anti=False), "id", SemiJoin(ORDERS_BELOW, LINES, ON, anti=False)),
    (MarkJoin(ORDERS, LINES, ON, "found"), "id", MarkJoin(ORDERS_BELOW, LINES, ON, "found")),
    (OuterJoin(ORDERS, LINES, ON, full=False), "id", OuterJoin(ORDERS_BELOW, LINES, ON, full=False)),
    (
        Restrict(Filter(ORDERS, MORE), OTHERS, by("amount", OTHERS)),
        "id",
        Filter(Restrict(ORDERS_BELOW, OTHERS, by("amount", OTHERS)), MORE),
    ),
)
"""What is restricted, by what, and where the restriction ends."""

STAYS: tuple[tuple[Op, str], ...] = (
    (ORDERS, "id"),
    # A row outside may decide what the others are.
    (TopK(ORDERS, (Ordering("id", False, True),), 1, 0), "id"),
    (OuterJoin(ORDERS, LINES, ON, full=True), "id"),
    (OuterJoin(ORDERS, LINES, ON, full=False), "order_id"),
    (Window(ORDERS, (named("p", "id"),), (named("w", "COUNT(*) OVER (PARTITION BY id)"),)), "amount"),
    (Window(ORDERS, (named("p", "id"),), (named("w", "COUNT(*) OVER (PARTITION BY id)"),)), "w"),
    # What is asked about is made right here.
    (Aggregate(ORDERS, (named("g", "id"),), (named("n", "COUNT(*)"),)), "n"),
    (Aggregate(ORDERS, (named("g", "id"),), (named("n", "COUNT(*)"),)), "g + n"),
    (Aggregate(ORDERS, (), (named("n", "COUNT(*)"),)), "n"),
    (Accumulate(FEED, (named("g", "id"),), SUMMED, True), "g + rows"),
    (Accumulate(FEED, (), SUMMED, True), "rows"),
    (Explode(ORDERS, ELEMENTS, (GENERATED_PREFIX,), False), "made"),
    (Explode(ORDERS, ELEMENTS, (GENERATED_PREFIX,), False), "id + made"),
    (MarkJoin(ORDERS, LINES, ON, "found"), "found"),
    (Join(ORDERS, LINES, ON), "id + order_id"),
)


def test_restrictions_sink() -> None:
    """Through whatever lets their columns be followed."""
    for op, text, expected in SUNK:
        assert show(push_restrictions(below(op, text))) == show(expected)


def test_restrictions_stay() -> None:
    """Above what they may not pass."""
    for op, text in STAYS:
        restricted = below(op, text)

        assert show(push_restrictions(restricted)) == show(restricted)


def test_two_keys_are_followed_together() -> None:
    """Both or none."""
    both = TouchedKeys(FEED, (named("one", "id"), named("two", "amount")))
    renamed = Project(ORDERS, (named("a", "id"), named("b", "amount")))
    asked = (named("one", "a"), named("two", "b"))
    joined = Restrict(Join(ORDERS, LINES, ON), both, (named("one", "id"), named("two", "order_id")))
    expected = Project(Restrict(ORDERS, both, (named("one", "id"), named("two", "amount"))), renamed.items)
    partly = Restrict(
        Window(ORDERS, (named("p", "id"),), (named("w", "COUNT(*) OVER (PARTITION BY id)"),)),
        both,
        (named("one", "id"), named("two", "amount")),
    )

    assert show(push_restrictions(Restrict(renamed, both, asked))) == show(expected)
    assert show(push_restrictions(joined)) == show(joined)
    assert show(push_restrictions(partly)) == show(partly)


def test_keys_that_are_all_the_columns_sink_as_well() -> None:
    """As far as any others."""
    keys = TouchedKeys(FEED, (named("one", "id"), named("two", "amount")))
    asked = (named("one", "id"), named("two", "amount"))
    restricted_orders = Restrict(ORDERS, keys, asked)

    def over(orders: Op) -> tuple[Op, ...]:
        return (
            Explode(orders, ELEMENTS, (GENERATED_PREFIX,), False),
            Join(orders, LINES, ON),
            Join(LINES, orders, ON),
            SemiJoin(orders, LINES, ON, anti=True),
            MarkJoin(orders, LINES, ON, "found"),
            OuterJoin(orders, LINES, ON, full=False),
            Aggregate(orders, (named("id"), named("amount")), (named("n", "COUNT(*)"),)),
            Window(orders, (named("p", "id"), named("q", "amount")), (named("w", "COUNT(*) OVER (PARTITION BY id)"),)),
        )

    for op, expected in zip(over(ORDERS), over(restricted_orders)):
        assert show(push_restrictions(Restrict(op, keys, asked))) == show(expected)


def test_nothing_is_done_without_a_restriction() -> None:
    """The plan itself comes back."""
    plan = Join(Distinct(ORDERS), LINES, ON)

    assert push_restrictions(plan) is plan
