"""Slots of durations: canonical, aligned, and on whole minutes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as draw

from tests.schedule.instants import at
from trickle.schedule.duration import DAY, HOUR, MINUTE, SECOND
from trickle.schedule.every import Every
from trickle.schedule.slots import CombinedSchedule, Cron, EveryRun, OnUpdate, combine
from trickle.schedule.target_lag import TargetLag, canonical_period

NOW = at("2026-11-19 12:00")
durations = draw.integers(1, 40 * DAY // SECOND).map(lambda seconds: seconds * SECOND)
minutes = draw.integers(2, 40 * DAY // MINUTE).map(lambda count: count * MINUTE)
instants = draw.integers(NOW, NOW + 400 * DAY)


@pytest.mark.parametrize(
    ("duration", "expected"),
    [
        (MINUTE, 24), (2 * MINUTE, 48), (5 * MINUTE, 96), (15 * MINUTE, 384), (HOUR, 1536), (DAY, 24576),
        (7 * DAY, 196608),
        (95 * SECOND, 24), (96 * SECOND, 48), (30 * SECOND, 12),
    ],
)  # fmt: skip
def test_periods_of_targets(duration: int, expected: int) -> None:
    """The longest 48·2ⁿ seconds that is no longer than half."""
    assert TargetLag(duration).period == expected * SECOND


@given(durations)
def test_a_canonical_period_is_more_than_half(duration: int) -> None:
    """Never refreshed twice as often as asked for, and never less often."""
    period = canonical_period(duration)

    assert period <= duration < 2 * period
    assert max(period, 48 * SECOND) % min(period, 48 * SECOND) == 0


@given(durations, instants)
def test_a_slot_comes_within_half_of_the_target(duration: int, instant: int) -> None:
    """From a slot to the next is no longer than half, or than the next whole minute."""
    lag = TargetLag(duration)
    newest, following = lag.newest(instant), lag.next(instant)

    assert newest <= instant < following
    assert following - newest <= lag.longest_gap <= -(-duration // 2 // lag.grid) * lag.grid
    assert lag.next(newest) == following and lag.newest(following) == following


@given(minutes, minutes, instants)
def test_the_slots_of_a_longer_duration_are_slots_of_every_shorter_one(one: int, other: int, instant: int) -> None:
    """What makes the tables of one DAG due together."""
    slot = TargetLag(max(one, other)).newest(instant)

    assert TargetLag(min(one, other)).newest(slot) == slot


@given(minutes, instants)
def test_slots_of_minutes_lie_on_whole_minutes(duration: int, instant: int) -> None:
    """As schedulers fire."""
    assert TargetLag(duration).newest(instant) % MINUTE == 0 == TargetLag(duration).next(instant) % MINUTE


@given(durations, instants)
def test_at_most_every_is_never_cut_short(limit: int, instant: int) -> None:
    """Its slots are as far apart as was said."""
    schedule = OnUpdate(limit)

    assert schedule.newest(instant) <= instant < schedule.next(instant)
    assert schedule.next(instant) - schedule.newest(instant) == limit


def test_together_is_due_when_any_is() -> None:
    """The newest of the newest, the nearest of the next, the tightest target."""
    nightly = Cron("0 3 * * *", "UTC")
    both = combine((TargetLag(HOUR), nightly, TargetLag(5 * MINUTE)))

    assert both == CombinedSchedule((TargetLag(5 * MINUTE), nightly))
    assert both.target(NOW) == 5 * MINUTE
    assert both.newest(at("2026-11-20 03:00")) == at("2026-11-20 03:00")
    assert both.next(at("2026-11-20 02:59:59")) == at("2026-11-20 03:00")


def test_together_keeps_what_no_other_meets() -> None:
    """Half an hour meets every hour and every day; neither a target lag nor another zone's days meet a day."""
    hourly, daily, berlin = Every(30 * MINUTE), Every(DAY), Every(DAY, "Europe/Berlin")

    assert combine((hourly, Every(HOUR), daily, berlin)) == CombinedSchedule((berlin, hourly))
    assert combine((TargetLag(HOUR), daily)) == CombinedSchedule((TargetLag(HOUR), daily))


def test_together_with_what_runs_always_is_always() -> None:
    """Nothing is tighter; nothing at all is every run too."""
    assert combine((TargetLag(HOUR), EveryRun(on_update=True))) == EveryRun() == combine(())


def test_what_they_are_called() -> None:
    """As users wrote them."""
    assert str(TargetLag(90 * MINUTE)) == "target lag 1h30m"
    assert str(Every(90 * MINUTE)) == str(Every(90 * MINUTE, "UTC")) == "every 1h30m"
    assert str(Every(DAY, "Europe/Berlin")) == "every 1d (Europe/Berlin)"
    assert str(Cron("0 3 * * *", "Europe/Berlin")) == "0 3 * * * (Europe/Berlin)"
    assert str(combine((TargetLag(HOUR),))) == "calculated: target lag 1h"
    assert str(OnUpdate(HOUR)) == "on update, at most every 1h"
    assert (str(EveryRun()), str(EveryRun(on_update=True))) == ("every run", "on update")
