"""`{every: …}`: one refresh in each stretch of the clock, in summer and in winter, whatever starts dbt."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw

from tests.schedule.clockwork import refreshes, starts
from tests.schedule.instants import at
from trickle.schedule.clock_text import show_instant
from trickle.schedule.cron import first_after
from trickle.schedule.due import slot_taken
from trickle.schedule.duration import DAY, HOUR, MINUTE, SECOND, WEEK
from trickle.schedule.every import Every
from trickle.schedule.ticks import EVEN_STEPS, ScheduledTable, ticks

NOW = at("2026-11-19 12:00")
BERLIN = "Europe/Berlin"
ZONES = ("UTC", BERLIN, "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia")


def following(schedule: Every, start: int, count: int) -> list[str]:
    """The next slots as the zone's clock shows them."""
    shown = []
    for _ in range(count):
        start = schedule.next(start)
        shown.append(show_instant(start, schedule.zone))
    return shown


@pytest.mark.parametrize(
    ("duration", "zone", "expected"),
    [
        (HOUR, "UTC", ["2026-11-19 13:00", "2026-11-19 14:00"]),
        (5 * MINUTE, "UTC", ["2026-11-19 12:05", "2026-11-19 12:10"]),
        (6 * HOUR, "UTC", ["2026-11-19 18:00", "2026-11-20 00:00"]),
        (6 * HOUR, BERLIN, ["2026-11-19 18:00", "2026-11-20 00:00"]),
        (DAY, "Asia/Kolkata", ["2026-11-20 00:00", "2026-11-21 00:00"]),
        (HOUR, "Asia/Kolkata", ["2026-11-19 18:00", "2026-11-19 19:00"]),
        (WEEK, BERLIN, ["2026-11-23 00:00", "2026-11-30 00:00"]),
        (30 * SECOND, "UTC", ["2026-11-19 12:00:30", "2026-11-19 12:01"]),
    ],
)
def test_slots_lie_on_the_clock(duration: int, zone: str, expected: list[str]) -> None:
    """Full hours, midnights and Mondays of the zone."""
    assert following(Every(duration, zone), NOW, 2) == expected


def test_days_begin_at_midnight_in_summer_and_in_winter() -> None:
    """Through both changes of the clock, where a day has 23 and 25 hours."""
    spring = following(Every(DAY, BERLIN), at("2026-03-28 12:00", BERLIN), 3)
    autumn = following(Every(12 * HOUR, BERLIN), at("2026-10-24 12:00", BERLIN), 3)

    assert spring == ["2026-03-29 00:00", "2026-03-30 00:00", "2026-03-31 00:00"]
    assert autumn == ["2026-10-25 00:00", "2026-10-25 12:00", "2026-10-26 00:00"]


def test_a_slot_that_the_clock_leaves_out_comes_right_after() -> None:
    """02:00 does not come on 29 March in Berlin, and comes twice on 25 October."""
    spring = following(Every(2 * HOUR, BERLIN), at("2026-03-29 00:00", BERLIN), 2)
    autumn = following(Every(2 * HOUR, BERLIN), at("2026-10-25 00:00", BERLIN), 2)

    assert spring == ["2026-03-29 03:00", "2026-03-29 04:00"]
    assert autumn == ["2026-10-25 02:00", "2026-10-25 04:00"]


@settings(max_examples=600, deadline=None)
@given(
    draw.sampled_from((*range(1, 240), 300, 360, 720, 1440, 2160, 2880, 10080, 14400)),
    draw.sampled_from(ZONES),
    draw.integers(NOW, NOW + 400 * DAY),
)
def test_slots_follow_each_other(minutes: int, zone: str, instant: int) -> None:
    """Forwards and backwards the same, none later than an hour more than its duration."""
    schedule = Every(minutes * MINUTE, zone)
    newest, after = schedule.newest(instant), schedule.next(instant)

    assert newest <= instant < after
    assert schedule.next(newest) == after and schedule.newest(after) == after
    assert after - newest <= schedule.duration + HOUR


@settings(max_examples=150, deadline=None)
@given(
    draw.sampled_from((*range(1, 241), 300, 720, 1440)),
    draw.sampled_from([minutes * MINUTE for minutes in (1, 2, 5, 10, 15, 30, 60)]),
    draw.sampled_from(ZONES),
    draw.integers(0, 10_000),
)
def test_one_refresh_a_slot(minutes: int, gap: int, zone: str, seed: int) -> None:
    """Under any ticks at least as frequent, jittered or not: each slot is taken, and none twice."""
    schedule = Every(minutes * MINUTE, zone)
    gap = min(gap, schedule.duration)
    random = Random(seed)
    start = NOW + random.randrange(0, 300) * DAY
    runs = refreshes(schedule, starts(random, start, gap, True), start + 8 * schedule.duration, random, 20 * SECOND)
    taken = Counter(slot_taken(schedule, run.began) for run in runs)

    assert set(taken.values()) == {1}
    slots = sorted(slot or 0 for slot in taken)
    assert all(schedule.next(slot) == after for slot, after in pairwise(slots))


@pytest.mark.parametrize("minutes", [*range(1, 241), 300, 360, 480, 720, 1440, 2880, 10080])
def test_suggested_ticks_come_in_every_slot(minutes: int) -> None:
    """And at the slots themselves, where some step of the clock divides the duration well."""
    schedule = Every(minutes * MINUTE)
    (tick,) = ticks([ScheduledTable("orders", schedule)], NOW).expressions
    gap = next(gap for gap, text in EVEN_STEPS if text == tick)
    slot = schedule.next(NOW)
    for _ in range(20):
        came = first_after(tick, "UTC", slot - 1)
        assert came is not None and came < schedule.next(slot)
        assert came == slot or schedule.duration % gap
        slot = schedule.next(slot)


def test_a_grid_meets_its_multiples() -> None:
    """In its own zone."""
    assert Every(HOUR).divides(Every(DAY)) and not Every(DAY).divides(Every(HOUR))
    assert not Every(HOUR).divides(Every(DAY, BERLIN)) and not Every(25 * MINUTE).divides(Every(HOUR))
