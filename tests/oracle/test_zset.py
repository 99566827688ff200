"""The Z-set is what the algebra says it is."""

from __future__ import annotations

import pytest

from tests.oracle.zset import ZSet, bag, zset


def test_equal_rows_are_one_row_and_zeros_are_gone() -> None:
    """Normalised on construction, so that equal Z-sets compare equal."""
    assert zset([((1,), 2), ((1,), -2), ((None,), 1)]) == bag([(None,)])
    assert len(zset([((1,), 1), ((1,), -1)])) == 0


def test_rows_compare_null_safely_and_as_grouping_does() -> None:
    """NULL is NULL, NaN is NaN, and -0.0 is 0.0."""
    assert bag([(None, float("nan"), -0.0)]) == bag([(None, float("nan"), 0.0)])


def test_difference_and_sum_undo_each_other() -> None:
    """(A − B) + B = A."""
    first, second = bag([(1,), (1,), (2,)]), bag([(2,), (3,)])

    assert (first - second) + second == first
    assert not (first - second).is_bag


def test_removed_rows_are_no_rows() -> None:
    """Only a bag can be a table's content."""
    with pytest.raises(ValueError, match="not a bag"):
        (-bag([(1,)])).rows()
    with pytest.raises(ValueError, match="zero weights"):
        ZSet({(1,): 0})
