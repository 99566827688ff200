"""Samples become medians, ratios and verdicts."""

from __future__ import annotations

import pytest

from benchmarks.meter import Spent
from benchmarks.ratios import Ratio, clearly_better, medians, never_worse, ratio


def test_wall_and_cpu_have_medians_of_their_own() -> None:
    """An outlier in the one must not choose the other."""
    rounds = [Spent(1.0, 9.0), Spent(50.0, 3.0), Spent(2.0, 4.0)]

    assert medians(rounds) == Spent(2.0, 4.0)


def test_a_ratio_has_wall_and_cpu() -> None:
    """An approach can save time and use more of it on other cores."""
    compared = ratio(Spent(1.0, 6.0), Spent(2.0, 4.0))

    assert compared == Ratio(0.5, 1.5)
    assert (compared.least, compared.worst) == (0.5, 1.5)


def test_nothing_is_infinitely_cheaper_than_something() -> None:
    """An approach that was not measured never makes another one look good."""
    assert ratio(Spent(1.0, 1.0), Spent(0.0, 0.0)).least == float("inf")


@pytest.mark.parametrize(
    ("auto", "is_kept"),
    [(Spent(1.1, 2.2), True), (Spent(0.5, 0.5), True), (Spent(1.2, 1.0), False), (Spent(0.5, 2.3), False)],
)
def test_auto_may_take_a_tenth_more_than_full(auto: Spent, is_kept: bool) -> None:
    """Both in wall and in CPU: the promise is never to be worse than recomputing."""
    assert never_worse({"auto": auto, "full": Spent(1.0, 2.0)}) is is_kept


@pytest.mark.parametrize(
    ("incremental", "better"), [(Spent(1.0, 2.0), True), (Spent(0.1, 2.1), False), (Spent(1.1, 0.1), False)]
)
def test_clearly_better_is_twice_as_fast_in_both(incremental: Spent, better: bool) -> None:
    """A refresh that waits less but works more has not earned its complexity."""
    assert clearly_better({"incremental": incremental, "full": Spent(2.0, 4.0)}) is better
