"""Rows that EXCEPT ALL found on either side differ, unless only by the rounding of floating numbers."""

from __future__ import annotations

from decimal import Decimal

import pytest

from benchmarks.tpch_check import differing


def test_no_rows_on_either_side_is_exact() -> None:
    """Nothing is reported."""
    assert differing([], []) == []


def test_floating_numbers_may_differ_in_their_last_digits() -> None:
    """Rows are paired by their other values, in whatever order they came."""
    missing = [("a", 0.1 + 0.2), ("b", 1e9)]
    extra = [("b", 1e9 + 1e-3), ("a", 0.3)]

    assert differing(missing, extra) == []


@pytest.mark.parametrize(
    ("missing", "extra"),
    [
        ([("a", 1.0)], [("a", 1.001)]),
        ([("a", 1.0)], [("b", 1.0)]),
        ([("a", 1.0)], []),
        ([("a", 1.0)], [("a", None)]),
        ([(Decimal("1.00"),)], [(Decimal("1.01"),)]),
        ([(1.0,), (2.0,)], [(1.0,), (3.0,)]),
    ],
)
def test_everything_else_is_a_difference(missing: list[tuple[object]], extra: list[tuple[object]]) -> None:
    """Another value, another row, a row too few, a NULL, a decimal."""
    assert differing(missing, extra) == [*(f"- {row}" for row in missing), *(f"+ {row}" for row in extra)]


def test_only_the_first_rows_are_reported() -> None:
    """A wrong table may be wrong in every row."""
    assert differing([(number,) for number in range(9)], [], shown=2) == ["- (0,)", "- (1,)"]
