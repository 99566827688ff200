"""Rounds are interleaved so that none of the ways is always the first."""

from __future__ import annotations

from benchmarks.rounds import rotated

APPROACHES = ("full", "incremental", "auto")


def test_every_way_comes_first_once() -> None:
    """After as many rounds as there are ways, each has paid for being first."""
    assert {rotated(APPROACHES, number)[0] for number in range(len(APPROACHES))} == set(APPROACHES)


def test_a_rotation_loses_nobody() -> None:
    """Every round measures every way exactly once."""
    assert all(sorted(rotated(APPROACHES, number)) == sorted(APPROACHES) for number in range(7))


def test_nothing_rotates_to_nothing() -> None:
    """A cell without ways measures nothing, and says so by an empty round."""
    assert rotated((), 3) == []
