"""Results are compared as multisets; only floats have a tolerance, and differences are shown."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dbt.adapters.trickle.cli.verify.rows import difference

NAN = float("nan")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([(1, "a"), (None, None)], [(None, None), (1, "a")]),
        ([(NAN,), (NAN,)], [(NAN,), (NAN,)]),
        ([(-0.0,)], [(0.0,)]),
        ([(0.1 + 0.2,)], [(0.3,)]),
        ([(Decimal("3.333333"),)], [(10 / 3,)]),
        ([(Decimal("1.500002"),)], [(1.5,)]),
        ([(Decimal("1.5"),)], [(Decimal("1.50"),)]),
        ([([1, None], {"k": 1.0})], [([1, None], {"k": 1.0 + 1e-12})]),
        ([(bytearray(b"\0"),)], [(b"\0",)]),
    ],
)
def test_equal_multisets_have_no_difference(left: list[tuple[object, ...]], right: list[tuple[object, ...]]) -> None:
    """Order, NaN, the sign of zero, last digits of floats and trailing zeros do not count."""
    assert difference(left, right) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([(1,)], [(1,), (1,)]),
        ([(None,)], [(0,)]),
        ([(1,)], [("1",)]),
        ([(Decimal("0.1"),)], [(Decimal("0.1000001"),)]),
        ([(0.1,)], [(0.11,)]),
        ([(Decimal("1.50003"),)], [(1.5,)]),
        ([(NAN,)], [(None,)]),
        ([([1, 2],)], [([2, 1],)]),
        ([(float("inf"),)], [(float("-inf"),)]),
    ],
)
def test_every_difference_is_found(left: list[tuple[object, ...]], right: list[tuple[object, ...]]) -> None:
    """One copy too many, NULL for zero, another type, a digit of a decimal, another order inside an array."""
    assert difference(left, right) is not None


def test_the_sentence_shows_both_sides_and_counts_the_rest() -> None:
    """The first rows of each side, and the number of others."""
    sentence = difference([(n, None) for n in range(5)], [("x",)])

    assert sentence is not None
    assert sentence.startswith("stored but not in the result: (0, NULL), (1, NULL), (2, NULL) and 2 more")
    assert sentence.endswith("in the result but not stored: ('x')")
