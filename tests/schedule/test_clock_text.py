"""Instants as text."""

from __future__ import annotations

from tests.schedule.instants import at
from trickle.schedule.clock_text import iso_instant, show_instant

NOON = at("2026-11-19 12:00")


def test_the_same_day_needs_no_date() -> None:
    """In the zone in which it is read."""
    assert show_instant(NOON, "UTC", seen_from=NOON - 1) == "12:00"
    assert show_instant(at("2026-11-19 12:00:30"), "UTC", seen_from=NOON) == "12:00:30"
    assert show_instant(NOON, "Asia/Kolkata") == "2026-11-19 17:30"
    assert show_instant(NOON, "UTC", seen_from=at("2026-11-18 23:00")) == "2026-11-19 12:00"


def test_machines_read_iso() -> None:
    """With the offset."""
    assert iso_instant(NOON) == "2026-11-19T12:00:00+00:00"
