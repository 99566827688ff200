"""How often something must start dbt: never too seldom for a schedule, and plain enough for every scheduler."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw

from tests.schedule.instants import at
from trickle.schedule.cron import fault, first_after
from trickle.schedule.duration import DAY, HOUR, MINUTE, WEEK
from trickle.schedule.every import Every
from trickle.schedule.slots import CombinedSchedule, Cron, EveryRun, OnUpdate, Schedule
from trickle.schedule.target_lag import TargetLag
from trickle.schedule.ticks import USUAL, ScheduledTable, ticks, tightest

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


def told(*schedules: Schedule, now: int = NOW) -> tuple[str, ...]:
    """What a project with a table for each schedule asks of a scheduler."""
    return ticks([ScheduledTable(f"t{place}", schedule) for place, schedule in enumerate(schedules)], now).expressions


@pytest.mark.parametrize(
    ("schedules", "expected"),
    [
        ((TargetLag(5 * MINUTE),), ("* * * * *",)),
        ((TargetLag(7 * MINUTE), TargetLag(DAY)), ("* * * * *",)),
        ((TargetLag(26 * MINUTE),), ("*/6 * * * *",)),
        ((TargetLag(HOUR),), ("*/15 * * * *",)),
        ((TargetLag(30_000),), ("* * * * *",)),
        ((TargetLag(90 * MINUTE),), ("*/20 * * * *",)),
        ((TargetLag(6 * HOUR),), ("0 * * * *",)),
        ((TargetLag(WEEK),), ("0 0 * * *",)),
        ((OnUpdate(10 * MINUTE),), ("*/10 * * * *",)),
        ((Every(5 * MINUTE),), ("*/5 * * * *",)),
        ((Every(7 * MINUTE),), ("*/3 * * * *",)),
        ((Every(90 * MINUTE),), ("*/30 * * * *",)),
        ((Every(5 * HOUR),), ("0 * * * *",)),
        ((Every(DAY),), ("0 0 * * *",)),
        ((Every(2 * WEEK),), ("0 0 * * *",)),
        ((Every(DAY, "Europe/Berlin"),), ("0 * * * *",)),
        ((Every(HOUR, "Asia/Kolkata"),), ("30 * * * *",)),
        ((Every(15 * MINUTE), TargetLag(30 * MINUTE)), ("*/6 * * * *", "*/15 * * * *")),
        ((Every(HOUR), TargetLag(30 * MINUTE)), ("*/6 * * * *",)),
        ((Cron("0 3 * * *", "UTC"),), ("0 3 * * *",)),
        ((TargetLag(5 * MINUTE), Cron("0 3 * * *", "Europe/Berlin")), ("* * * * *",)),
        ((TargetLag(20 * MINUTE), Cron("7 * * * *", "UTC")), ("*/5 * * * *", "7 * * * *")),
        ((Cron("0 3 * * *", "Europe/Berlin"),), ("0 * * * *",)),
        ((Cron("0 3 * * *", "Asia/Kolkata"),), ("30 * * * *",)),
        ((Cron("0 4 L * *", "UTC"),), ("0 4 * * *",)),
        ((CombinedSchedule((TargetLag(20 * MINUTE), Cron("7 3 * * *", "UTC"))),), ("*/5 * * * *", "7 3 * * *")),
        ((EveryRun(), EveryRun(on_update=True)), (USUAL,)),
        ((), (USUAL,)),
    ],
)
def test_what_a_scheduler_is_told(schedules: tuple[Schedule, ...], expected: tuple[str, ...]) -> None:
    """Even spacing for target lags, and what it does not meet beside it."""
    assert told(*schedules) == expected


@settings(max_examples=150)
@given(draw.sampled_from(CRONS), draw.sampled_from(ZONES), draw.integers(0, 300), draw.integers(1, 3000))
def test_every_slot_is_met(expression: str, zone: str, day: int, minutes: int) -> None:
    """In the minute of a cron's slot a tick comes, in summer and winter; no duration waits longer than its own."""
    now = NOW + day * DAY
    found = told(Cron(expression, zone), OnUpdate(minutes * MINUTE), now=now)
    slot = now
    for _ in range(5):
        following = first_after(expression, zone, slot)
        assert following is not None
        slot = following
        whole = slot // MINUTE * MINUTE
        assert any(first_after(tick, "UTC", whole - 1) == whole for tick in found), (found, slot)
    after = first_after(found[0], "UTC", now)
    assert not any(fault(tick) for tick in found)
    assert after is not None and after - now <= max(minutes * MINUTE, MINUTE)


def test_the_tightest_is_named() -> None:
    """The place of the schedule with the smallest target; none among those that have none."""
    assert tightest([Every(DAY), EveryRun(), TargetLag(5 * MINUTE)], NOW) == 2
    assert tightest([EveryRun()], NOW) is None
