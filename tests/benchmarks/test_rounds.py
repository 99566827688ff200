"""Rounds are interleaved so that no approach is always the first."""

from __future__ import annotations

from benchmarks.rounds import rotated

APPROACHES = ("full", "incremental", "auto")


def test_every_approach_comes_first_once() -> None:
    """After as many rounds as there are approaches, each was first once."""
    assert {rotated(APPROACHES, number)[0] for number in range(len(APPROACHES))} == set(APPROACHES)


def test_a_rotation_is_complete() -> None:
    """Every round measures every approach exactly once."""
    assert all(sorted(rotated(APPROACHES, number)) == sorted(APPROACHES) for number in range(7))


def test_nothing_rotates_to_nothing() -> None:
    """A cell without approaches measures nothing."""
    assert rotated((), 3) == []
