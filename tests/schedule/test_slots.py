"""Slots of durations: canonical, aligned, and on whole minutes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as draw

from tests.schedule.instants import at
from trickle.schedule.duration import DAY, HOUR, MINUTE, SECOND
from trickle.schedule.slots import Cron, Every, EveryRun, OnUpdate, Together, canonical_period, together

NOW = at("2026-11-19 12:00")
durations = draw.integers(1, 40 * DAY // SECOND).map(lambda seconds: seconds * SECOND)
minutes = draw.integers(1, 40 * DAY // MINUTE).map(lambda count: count * MINUTE)
instants = draw.integers(NOW, NOW + 400 * DAY)


@pytest.mark.parametrize(
    ("duration", "expected"),
    [
        (MINUTE, 48), (96 * SECOND, 96), (5 * MINUTE, 192), (15 * MINUTE, 768), (HOUR, 3072), (DAY, 49152),
        (47 * SECOND, 24), (30 * SECOND, 24),
    ],
)  # fmt: skip
def test_canonical_periods(duration: int, expected: int) -> None:
    """The longest 48·2ⁿ seconds that is no longer."""
    assert canonical_period(duration) == expected * SECOND


@given(durations)
def test_a_canonical_period_is_more_than_half(duration: int) -> None:
    """Never refreshed twice as often as asked for, and never less often."""
    period = canonical_period(duration)

    assert period <= duration < 2 * period
    assert max(period, 48 * SECOND) % min(period, 48 * SECOND) == 0


@given(durations, instants)
def test_a_slot_comes_within_the_duration(duration: int, instant: int) -> None:
    """From a slot to the next is no longer than the duration, or than its next whole minute."""
    every = Every(duration)
    newest, following = every.newest(instant), every.next(instant)

    assert newest <= instant < following
    assert following - newest <= -(-duration // every.grid) * every.grid
    assert every.next(newest) == following and every.newest(following) == following


@given(minutes, minutes, instants)
def test_the_slots_of_a_longer_duration_are_slots_of_every_shorter_one(one: int, other: int, instant: int) -> None:
    """What makes the tables of one DAG due together."""
    slot = Every(max(one, other)).newest(instant)

    assert Every(min(one, other)).newest(slot) == slot


@given(minutes, instants)
def test_slots_of_minutes_lie_on_whole_minutes(duration: int, instant: int) -> None:
    """As schedulers fire."""
    assert Every(duration).newest(instant) % MINUTE == 0 == Every(duration).next(instant) % MINUTE


@given(durations, instants)
def test_at_most_every_is_never_cut_short(limit: int, instant: int) -> None:
    """Its slots are as far apart as was said."""
    schedule = OnUpdate(limit)

    assert schedule.newest(instant) <= instant < schedule.next(instant)
    assert schedule.next(instant) - schedule.newest(instant) == limit


def test_together_is_due_when_any_is() -> None:
    """The newest of the newest, the nearest of the next, the tightest target."""
    nightly = Cron("0 3 * * *", "UTC")
    both = together((Every(HOUR), nightly, Every(5 * MINUTE)))

    assert both == Together((Every(5 * MINUTE), nightly))
    assert both.target(NOW) == 5 * MINUTE
    assert both.newest(at("2026-11-20 03:00")) == at("2026-11-20 03:00")
    assert both.next(at("2026-11-20 02:59:59")) == at("2026-11-20 03:00")


def test_together_with_what_runs_always_is_always() -> None:
    """Nothing is tighter; nothing at all is every run too."""
    assert together((Every(HOUR), EveryRun(on_update=True))) == EveryRun() == together(())


def test_what_they_are_called() -> None:
    """As users wrote them."""
    assert str(Every(90 * MINUTE)) == "1h30m"
    assert str(Cron("0 3 * * *", "Europe/Berlin")) == "0 3 * * * (Europe/Berlin)"
    assert str(together((Every(HOUR),))) == "calculated: 1h"
    assert str(OnUpdate(HOUR)) == "on update, at most every 1h"
    assert (str(EveryRun()), str(EveryRun(on_update=True))) == ("every run", "on update")
