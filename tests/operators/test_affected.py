"""affected: what is computed again, and what of a wide side the few rows of the other can meet."""

from __future__ import annotations

from tests.operators.plans import LINES, ORDERS, change_of, named, scalar
from trickle.operators import Distinct, Filter, Join, Negate, Restrict, TouchedKeys, UnionAll
from trickle.operators.affected import affected_keys, recompute_affected, restricted_to_matches
from trickle.plan.op import Op
from trickle.plan.scalar import Named
from trickle.plan.show import show

CHANGE = change_of(ORDERS, "orders")
FEW = change_of(LINES, "lines").delta
WIDE = Distinct(ORDERS)
KEYS = (named("id"),)


def restricted(keys: tuple[Named, ...], by: tuple[Named, ...]) -> str:
    return show(Restrict(WIDE, TouchedKeys(FEW, keys), by))


def test_touched_groups_are_computed_before_and_after() -> None:
    """−op(R ⋉ K) + op(R′ ⋉ K), by the keys of the change."""
    touched = affected_keys(CHANGE, KEYS)
    before, after = (Restrict(side, touched, KEYS) for side in (CHANGE.before, CHANGE.after))
    expected = UnionAll((Negate(Distinct(before)), Distinct(after)))

    assert show(recompute_affected(WIDE, CHANGE, KEYS)) == show(expected)
    assert touched.child is CHANGE.delta


def test_without_keys_everything_is_computed_again() -> None:
    """The whole input is the one group."""
    expected = UnionAll((Negate(Distinct(CHANGE.before)), Distinct(CHANGE.after)))

    assert show(recompute_affected(WIDE, CHANGE, ())) == show(expected)


def test_a_grouping_is_narrowed_by_every_equality() -> None:
    """From either side of `=`, over expressions as well; other conditions say nothing."""
    first = (named("match_1", "order_id"),)
    told: dict[str, tuple[tuple[Named, ...], tuple[Named, ...]]] = {
        "id = order_id": (first, (named("match_1", "id"),)),
        "order_id = id": (first, (named("match_1", "id"),)),
        "id <=> order_id AND amount > 1": (first, (named("match_1", "id"),)),
        "id + amount = order_id * 2": ((named("match_1", "order_id * 2"),), (named("match_1", "id + amount"),)),
        "id = order_id + pieces": ((named("match_1", "order_id + pieces"),), (named("match_1", "id"),)),
        "id = order_id AND pieces = amount": (
            (*first, named("match_2", "pieces")),
            (named("match_1", "id"), named("match_2", "amount")),
        ),
    }
    for text, (keys, by) in told.items():
        assert show(restricted_to_matches(WIDE, FEW, scalar(text))) == restricted(keys, by), text


def test_nothing_is_narrowed_where_nothing_is_saved() -> None:
    """Without an equality between the two sides, and where the wide side is only read."""
    for text in (
        "id > order_id",
        "id = 1",
        "id = amount",
        "id + order_id = pieces",
        "id = order_id OR amount = pieces",
    ):
        assert restricted_to_matches(WIDE, FEW, scalar(text)) is WIDE, text
    plain: tuple[Op, ...] = (ORDERS, Filter(ORDERS, scalar("id > 1")), Join(ORDERS, LINES, scalar("id = order_id")))
    for op in plain:
        assert restricted_to_matches(op, FEW, scalar("id = pieces")) is op
    assert restricted_to_matches(WIDE, FEW, None) is WIDE
