"""Cron expressions as instants: the calendar's odd days, and clocks that are put forward and back in four zones."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw

from tests.schedule.instants import at
from trickle.schedule.cron import NAMES, expanded, fault, first_after, last_until
from trickle.schedule.duration import DAY, HOUR, MINUTE

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata")
EXPRESSIONS = (
    "* * * * *", "*/5 * * * *", "7-59/10 * * * *", "0 * * * *", "30 2 * * *", "15 1-3 * * *", "0 */2 * * *",
    "0 9 * * 1-5", "0 0 1 * *", "0 0 L * *", "0 12 * * MON#1",
    "30 2 * * SUN", "*/15 * * * * *", "30 0 3 * * *", "0 0 29 2 *",
)  # fmt: skip


def fired(expression: str, zone: str, since: int, until: int) -> list[int]:
    """All slots of a stretch, walked forwards."""
    found: list[int] = []
    slot = first_after(expression, zone, since)
    while slot is not None and slot <= until:
        found.append(slot)
        slot = first_after(expression, zone, slot)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_names_are_expressions(name: str) -> None:
    """@hourly and the like, in any case."""
    assert fault(name) == "" and expanded(name.upper()) == NAMES[name]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("61 * * * *", "Bad minute"), ("0 24 * * *", "Bad hour"), ("0 0 32 * *", "Bad day-of-month"),
        ("0 0 * 13 *", "Bad month"), ("0 0 * * 8", "Bad day-of-week"), ("60 * * * * *", "Bad second"),
        ("0 0 30 2 *", "It never fires"), ("0 0 31 4,6 *", "It never fires"), ("* * * *", "Wrong number of fields"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_expression(expression: str, expected: str) -> None:
    """The field at fault, or that there is no such day."""
    assert fault(expression) == expected


@pytest.mark.parametrize(
    ("zone", "before", "slot", "following"),
    [
        ("Europe/Berlin", "2026-03-28 02:30", "2026-03-29 03:00", "2026-03-30 02:30"),
        ("America/New_York", "2026-03-07 02:30", "2026-03-08 03:00", "2026-03-09 02:30"),
        ("Australia/Lord_Howe", "2026-10-03 02:15", "2026-10-04 02:30", "2026-10-05 02:15"),
    ],
)
def test_a_job_in_the_hour_that_is_left_out_runs_right_after_it(
    zone: str, before: str, slot: str, following: str
) -> None:
    """Once a day, on the day of the change to summer time as well."""
    expression = f"{before[14:16]} 2 * * *"

    assert first_after(expression, zone, at(before, zone)) == at(slot, zone)
    assert first_after(expression, zone, at(slot, zone)) == at(following, zone)
    assert last_until(expression, zone, at(following, zone) - 1) == at(slot, zone)


@pytest.mark.parametrize(
    ("zone", "day", "clock"),
    [
        ("Europe/Berlin", "2026-10-25", "02:30"),
        ("America/New_York", "2026-11-01", "01:30"),
        ("Australia/Lord_Howe", "2026-04-05", "01:45"),
    ],
)
def test_a_job_in_the_hour_that_comes_twice_runs_once(zone: str, day: str, clock: str) -> None:
    """The first time."""
    expression = f"{clock[3:]} {int(clock[:2])} * * *"
    midnight = at(f"{day} 00:00", zone)
    first, second = at(f"{day} {clock}", zone), at(f"{day} {clock}", zone, fold=1)

    assert first < second
    assert fired(expression, zone, midnight, midnight + 20 * HOUR) == [first]
    assert last_until(expression, zone, second) == first


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_a_job_of_every_quarter_goes_by_real_time(zone: str) -> None:
    """A day of 23 hours has four less an hour's worth, and one of 25 four more."""
    days = {
        "Europe/Berlin": ("2026-03-29", "2026-10-25"),
        "America/New_York": ("2026-03-08", "2026-11-01"),
    }[zone]
    short, long = (at(f"{day} 00:00", zone) - 1 for day in days)

    assert len(fired("*/15 * * * *", zone, short, short + 23 * HOUR)) == 92
    assert len(fired("*/15 * * * *", zone, long, long + 25 * HOUR)) == 100
    slots = fired("*/15 * * * *", zone, long, long + 25 * HOUR)
    assert {after - before for before, after in pairwise(slots)} == {15 * MINUTE}


def test_leap_days() -> None:
    """29 February comes in leap years, and not in 2100."""
    assert first_after("0 0 29 2 *", "UTC", at("2026-01-01")) == at("2028-02-29")
    assert first_after("0 0 29 2 *", "UTC", at("2096-03-01")) == at("2104-02-29")
    assert last_until("0 0 29 2 *", "UTC", at("2103-12-31")) == at("2096-02-29")


def test_month_ends() -> None:
    """31 leaves short months out; L is the last day of each."""
    year = (at("2027-01-01") - 1, at("2027-12-31 23:59"))

    assert len(fired("0 0 31 * *", "UTC", *year)) == 7
    assert fired("0 0 L * *", "UTC", *year)[1] == at("2027-02-28")
    assert len(fired("0 0 L * *", "UTC", *year)) == 12


def test_the_zone_decides() -> None:
    """Three in the morning is another instant in another zone."""
    assert first_after("0 3 * * *", "Asia/Kolkata", at("2026-06-01")) == at("2026-06-01 21:30")
    assert first_after("0 3 * * *", "America/New_York", at("2026-06-01")) == at("2026-06-01 07:00")


@settings(max_examples=300)
@given(draw.sampled_from(EXPRESSIONS), draw.sampled_from(ZONES), draw.integers(0, 366 * DAY), draw.integers(0, HOUR))
def test_back_and_forth_agree(expression: str, zone: str, offset: int, step: int) -> None:
    """last_until(t) ≤ t < first_after(t), with no slot between them; neither goes back when t goes on."""
    instant = at("2026-01-01") + offset
    before, after = last_until(expression, zone, instant), first_after(expression, zone, instant)
    assert before is not None and after is not None

    assert before <= instant < after
    assert first_after(expression, zone, before) == after
    assert last_until(expression, zone, after) == after
    later = last_until(expression, zone, instant + step)
    assert later is not None and before <= later
