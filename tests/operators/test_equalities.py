"""equalities: what a condition sets equal between the two sides of a join."""

from __future__ import annotations

import pytest

from tests.operators.plans import scalar
from trickle.plan.equalities import EqualColumns, columns_of, equal_columns, equalities, equality
from trickle.plan.scalar import all_hold, parts_of
from trickle.plan.schema import Column, Schema

MINE, OTHER = Schema((Column("a"), Column("b"))), Schema((Column("x"), Column("y")))

TOLD: tuple[tuple[str, list[tuple[str, str, bool]]], ...] = (
    ("a = x", [("a", "x", False)]),
    ("x = a", [("a", "x", False)]),
    ("y <=> b", [("b", "y", True)]),
    ("a = x AND (y = b AND a < y)", [("a", "x", False), ("b", "y", False)]),
    ("a + b = x * 2", [("a + b", "x * 2", False)]),
    ("x * 2 = a", [("a", "x * 2", False)]),
    ("a = x + b", []),
    ("a = b", []),
    ("a = 7", []),
    ("7 = x", []),
    ("a = z", []),
    ("a < x", []),
    ("a = x OR b = y", []),
    ("NOT a = x", []),
)


@pytest.mark.parametrize(("condition", "expected"), TOLD)
def test_equalities_are_over_one_side_each(condition: str, expected: list[tuple[str, str, bool]]) -> None:
    """Ours first, whichever is written first; what else must hold says nothing."""
    found = equalities(scalar(condition).parts, MINE, OTHER)

    assert [(pair.mine, pair.other, pair.null_safe) for pair in found] == [
        (scalar(mine), scalar(other), null_safe) for mine, other, null_safe in expected
    ]


@pytest.mark.parametrize(("condition", "expected"), TOLD)
def test_equal_columns_are_plain(condition: str, expected: list[tuple[str, str, bool]]) -> None:
    """Of the equalities those that compute nothing."""
    plain = [EqualColumns(*pair) for pair in expected if pair[0] in MINE and pair[1] in OTHER]

    assert equal_columns(scalar(condition).parts, MINE, OTHER) == plain


def test_an_equality_keeps_its_sides_as_they_are_written() -> None:
    """Where nobody asks which side is whose."""
    written = equality(scalar("x <=> a"))
    computed = equality(scalar("x = a + 1"))

    assert written is not None and columns_of(written) == EqualColumns("x", "a", null_safe=True)
    assert computed is not None and columns_of(computed) is None
    assert equality(scalar("x <> a")) is None


def test_the_parts_of_a_condition_hold_together() -> None:
    """What an AND takes apart, an AND puts together."""
    condition = scalar("a = 1 AND (b = 2 AND (a = 3 OR b = 4))")
    parts = parts_of(condition)

    assert parts == (scalar("a = 1"), scalar("b = 2"), scalar("a = 3 OR b = 4"))
    assert all_hold(parts[:2]) == scalar("a = 1 AND b = 2")
    assert parts_of(None) == () and all_hold(()) is None
