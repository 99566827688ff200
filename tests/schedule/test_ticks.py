"""How often something must start dbt: never too seldom for a schedule, and plain enough for every scheduler."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw

from tests.schedule.instants import at
from trickle.schedule.cron import fault, first_after
from trickle.schedule.duration import DAY, MINUTE
from trickle.schedule.slots import Cron, Every, EveryRun, OnUpdate, Schedule, Together
from trickle.schedule.ticks import USUAL, ticks, tightest

NOW = at("2026-03-20 12:00")
CRONS = (
    "0 3 * * *",
    "7 * * * *",
    "30 9 * * MON-FRI",
    "0 0 L * *",
    "15 6 * * MON#1",
    "*/20 * * * * *",
    "5,35 8-18 * * *",
)
ZONES = ("UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York")


@pytest.mark.parametrize(
    ("schedules", "expected"),
    [
        ((Every(5 * MINUTE),), ("*/5 * * * *",)),
        ((Every(7 * MINUTE), Every(DAY)), ("*/6 * * * *",)),
        ((Every(30_000),), ("* * * * *",)),
        ((Every(90 * MINUTE),), ("0 * * * *",)),
        ((Every(3 * DAY),), ("0 0 * * *",)),
        ((OnUpdate(10 * MINUTE),), ("*/10 * * * *",)),
        ((Cron("0 3 * * *", "UTC"),), ("0 3 * * *",)),
        ((Every(5 * MINUTE), Cron("0 3 * * *", "Europe/Berlin")), ("*/5 * * * *",)),
        ((Every(5 * MINUTE), Cron("7 * * * *", "UTC")), ("*/5 * * * *", "7 * * * *")),
        ((Cron("0 3 * * *", "Europe/Berlin"),), ("0 * * * *",)),
        ((Cron("0 3 * * *", "Asia/Kolkata"),), ("30 * * * *",)),
        ((Cron("0 4 L * *", "UTC"),), ("0 4 * * *",)),
        ((Together((Every(5 * MINUTE), Cron("7 3 * * *", "UTC"))),), ("*/5 * * * *", "7 3 * * *")),
        ((EveryRun(), EveryRun(on_update=True)), (USUAL,)),
        ((), (USUAL,)),
    ],
)
def test_what_a_scheduler_is_told(schedules: tuple[Schedule, ...], expected: tuple[str, ...]) -> None:
    """The tightest duration's even spacing, and what it does not meet beside it."""
    assert ticks(schedules, NOW) == expected


@settings(max_examples=150)
@given(draw.sampled_from(CRONS), draw.sampled_from(ZONES), draw.integers(0, 300), draw.integers(1, 3000))
def test_every_slot_is_met(expression: str, zone: str, day: int, minutes: int) -> None:
    """In the minute of a cron's slot a tick comes, in summer and winter; no duration waits longer than its own."""
    now = NOW + day * DAY
    told = ticks((Cron(expression, zone), Every(minutes * MINUTE)), now)
    slot = now
    for _ in range(5):
        following = first_after(expression, zone, slot)
        assert following is not None
        slot = following
        whole = slot // MINUTE * MINUTE
        assert any(first_after(tick, "UTC", whole - 1) == whole for tick in told), (told, slot)
    after = first_after(told[0], "UTC", now)
    assert not any(fault(tick) for tick in told)
    assert after is not None and after - now <= max(minutes * MINUTE, MINUTE)


def test_the_tightest_is_named() -> None:
    """The place of the schedule with the smallest target; none among those that have none."""
    assert tightest([Every(DAY), EveryRun(), Every(5 * MINUTE)], NOW) == 2
    assert tightest([EveryRun()], NOW) is None
