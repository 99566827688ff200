"""Durations as they are written, shown and guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as draw

from trickle.schedule.duration import DAY, HOUR, MINUTE, SECOND, guess_duration, parse_duration, show_duration


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30s", 30 * SECOND),
        ("5m", 5 * MINUTE),
        ("1h30m", 90 * MINUTE),
        ("1d", DAY),
        ("1d2h3m4s", 93784 * SECOND),
        ("1w", 7 * DAY),
        ("2w", 14 * DAY),
        ("1w3d", 10 * DAY),
    ],
)
def test_a_duration_is_read(text: str, expected: int) -> None:
    """Weeks, days, hours, minutes and seconds, in this order, each at most once."""
    assert parse_duration(text) == expected


@pytest.mark.parametrize("text", ["", "5", "0m", "5M", "5 m", "30m1h", "1.5h", "-5m", "1d1w", "m", "5m5m"])
def test_what_is_no_duration(text: str) -> None:
    """Anything else is nothing, and so is a duration of nothing."""
    assert parse_duration(text) is None


@given(draw.integers(1, 400 * DAY // SECOND))
def test_what_is_shown_is_read_as_the_same(seconds: int) -> None:
    """show is the inverse of parse."""
    assert parse_duration(show_duration(seconds * SECOND)) == seconds * SECOND


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 minutes", "5m"), ("every 10 min", "10m"), ("300", "5m"), ("1.5h", "1h30m"), ("PT5M", "5m"),
        ("1h30", "1h30m"), ("30m1h", "1h30m"), ("2 weeks", "2w"), ("10 days", "1w3d"), ("1w2", "1w2d"),
        ("1 hour and 30 minutes", "1h30m"),
        ("90min", "1h30m"),
    ],
)  # fmt: skip
def test_what_was_meant(text: str, expected: str) -> None:
    """A near miss is answered with the form that is read."""
    assert guess_duration(text) == expected


@pytest.mark.parametrize("text", ["soon", "", "5 parsecs", "0", "* * * * *", "0.1s"])
def test_what_cannot_be_guessed(text: str) -> None:
    """No guess is better than a wrong one."""
    assert guess_duration(text) is None


def test_units() -> None:
    """A day has 24 hours here, whatever the clocks do: who means a calendar day writes a cron expression."""
    assert (DAY, HOUR) == (24 * HOUR, 60 * MINUTE)
