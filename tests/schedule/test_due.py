"""The rule by which a table is due, under ten thousand schedules and patterns of ticks."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as draw

from tests.schedule.instants import at
from trickle.schedule.due import judge_due, slot_taken
from trickle.schedule.duration import DAY, HOUR, MINUTE, SECOND
from trickle.schedule.slots import Cron, EveryRun, OnUpdate, Schedule, combine
from trickle.schedule.target_lag import TargetLag

NOW = at("2026-11-19 12:00")
MANY = settings(max_examples=10_000)
MANY_LESS = settings(max_examples=1_000)
SOME = settings(max_examples=300)

minutes = draw.integers(1, 2 * 24 * 60)
jitters = draw.lists(draw.integers(-2 * SECOND, 40 * SECOND), min_size=2, max_size=12)
starts = draw.integers(0, 400 * 24 * 60).map(lambda minute: NOW + minute * MINUTE)
crons = draw.sampled_from(["* * * * *", "*/5 * * * *", "3-59/7 * * * *", "0 * * * *", "30 2 * * *", "0 0 1 * *"])
zones = draw.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])


def refreshed(schedule: Schedule, ticks: list[int]) -> list[int]:
    """Which of the ticks refresh, each seeing what those before it did."""
    last = None
    done = []
    for tick in ticks:
        if judge_due(schedule, last, tick).due:
            last = tick
            done.append(tick)
    return done


@MANY
@given(minutes, starts, jitters)
def test_a_model_refreshes_at_every_tick_of_a_scheduler_with_its_own_period(
    count: int, start: int, jitter: list[int]
) -> None:
    """`5m` under a five-minute cron of any phase: two seconds early or forty late, no tick is skipped."""
    ticks = [start + place * count * MINUTE + late for place, late in enumerate(jitter)]

    assert refreshed(TargetLag(count * MINUTE), ticks) == ticks


@MANY
@given(minutes, minutes, starts, jitters)
def test_a_late_run_decides_as_a_punctual_one(count: int, between: int, start: int, jitter: list[int]) -> None:
    """Whatever the scheduler's period: jitter makes no refresh and prevents none, so none is skipped or doubled."""
    punctual = [start + place * between * MINUTE for place in range(len(jitter))]
    jittered = [tick + late for tick, late in zip(punctual, jitter)]
    schedule = TargetLag(count * MINUTE)

    assert [late - tick for late, tick in zip(jittered, punctual)] == jitter
    kept = {jittered.index(tick) for tick in refreshed(schedule, jittered)}
    assert kept == {punctual.index(tick) for tick in refreshed(schedule, punctual)}


@MANY_LESS
@given(minutes, draw.integers(0, 400 * DAY), draw.lists(draw.integers(1, DAY), min_size=1, max_size=12))
def test_a_slot_is_taken_once(count: int, offset: int, gaps: list[int]) -> None:
    """Ticks at random moments, some left out: a refresh takes a slot, and no other refresh takes it again."""
    ticks = [NOW + offset + sum(gaps[:place]) for place in range(len(gaps) + 1)]
    schedule = TargetLag(count * MINUTE)
    slots = [slot_taken(schedule, tick) for tick in refreshed(schedule, ticks)]

    assert len(slots) == len(set(slots))
    assert slots == sorted(slots, key=lambda slot: slot or 0)


@MANY_LESS
@given(minutes, draw.integers(0, 400 * DAY), draw.lists(draw.integers(1, HOUR), min_size=1, max_size=12))
def test_a_skipped_table_is_as_fresh_as_was_asked_for(count: int, offset: int, gaps: list[int]) -> None:
    """When a run skips a table, its last refresh is no older than the schedule's duration."""
    schedule = TargetLag(count * MINUTE)
    ticks = [NOW + offset + sum(gaps[:place]) for place in range(len(gaps) + 1)]
    last = None
    for tick in ticks:
        if judge_due(schedule, last, tick).due:
            last = tick
        else:
            assert last is not None and tick - last <= count * MINUTE


@MANY_LESS
@given(minutes, minutes, starts, jitters)
def test_the_longer_is_never_due_alone(one: int, other: int, start: int, jitter: list[int]) -> None:
    """Tables of one DAG that are run together are due together whenever the one with the longer duration is."""
    ticks = [start + place * 7 * MINUTE + late for place, late in enumerate(jitter)]
    shorter, longer = TargetLag(min(one, other) * MINUTE), TargetLag(max(one, other) * MINUTE)

    assert set(refreshed(longer, ticks)) <= set(refreshed(shorter, ticks))


@SOME
@given(crons, zones, draw.integers(0, 400 * DAY), jitters)
def test_a_cron_model_under_its_own_cron(expression: str, zone: str, offset: int, jitter: list[int]) -> None:
    """At every slot, through changes of the clock and ends of months, once."""
    schedule = Cron(expression, zone)
    slots = []
    slot = NOW + offset
    for _ in jitter:
        following = schedule.next(slot)
        assert following is not None
        slot = following
        slots.append(slot)
    ticks = [slot + late for slot, late in zip(slots, jitter)]

    assert refreshed(schedule, ticks) == ticks
    assert [slot_taken(schedule, tick) for tick in ticks] == slots


@SOME
@given(crons, zones, draw.integers(0, 400 * DAY), draw.integers(1, 6 * HOUR))
def test_a_cron_model_waits_for_its_slot(expression: str, zone: str, offset: int, gap: int) -> None:
    """Between two ticks it is due if, and only if, a slot lies there."""
    schedule = Cron(expression, zone)
    last, tick = NOW + offset, NOW + offset + gap
    due = judge_due(schedule, last, tick)

    assert due.due == (slot_taken(schedule, last) != slot_taken(schedule, tick))
    assert due.next_slot is not None and due.next_slot > tick


@MANY_LESS
@given(minutes, starts, draw.integers(-2 * SECOND, 40 * SECOND), draw.integers(0, 1))
def test_two_runs_of_one_tick_refresh_once(count: int, start: int, late: int, apart: int) -> None:
    """A double run, within a millisecond, finds the slot taken."""
    schedule = TargetLag(count * MINUTE)

    assert refreshed(schedule, [start + late, start + late + apart]) == [start + late]


def test_a_five_minute_model_under_a_one_minute_cron() -> None:
    """It takes the slots of 96 s as minutes meet them: half of five minutes at most, and not minute by minute."""
    ticks = [NOW + minute * MINUTE for minute in range(60)]
    done = refreshed(TargetLag(5 * MINUTE), ticks)
    gaps = {(after - before) // MINUTE for before, after in pairwise(done)}

    assert gaps == {1, 2}


def test_a_day_is_not_skipped_when_the_clock_is_put_forward() -> None:
    """Midnight to midnight is 23 hours then, and `1d` under a nightly scheduler is due all the same."""
    nights = [at(f"2026-03-{day} 00:00", "Europe/Berlin") for day in range(27, 32)]

    assert refreshed(TargetLag(DAY), nights) == nights


def test_what_has_no_schedule_is_always_due() -> None:
    """At every run, twice in one instant as well."""
    assert refreshed(EveryRun(), [NOW, NOW, NOW - HOUR]) == [NOW, NOW, NOW - HOUR]


def test_what_was_never_refreshed_is_due() -> None:
    """Between two slots too."""
    due = judge_due(Cron("0 3 * * *", "UTC"), None, NOW)

    assert (due.due, due.why, due.next_slot) == (True, "never_refreshed", at("2026-11-20 03:00"))


def test_an_older_run_does_not_undo_a_newer_one() -> None:
    """A run that started earlier and was overtaken finds nothing to do."""
    assert not judge_due(TargetLag(5 * MINUTE), NOW + 5 * MINUTE, NOW).due


def test_a_clock_that_was_wrong_is_no_reason_to_wait() -> None:
    """A last refresh a year ahead would otherwise stop all refreshes for a year."""
    due = judge_due(TargetLag(5 * MINUTE), NOW + 365 * DAY, NOW)

    assert (due.due, due.why) == (True, "wrong_clock")


def test_on_update_at_most_every() -> None:
    """Once in each stretch of the limit."""
    ticks = [NOW + minute * MINUTE for minute in range(0, 30, 3)]

    assert refreshed(OnUpdate(10 * MINUTE), ticks) == [NOW, NOW + 12 * MINUTE, NOW + 21 * MINUTE]


def test_a_change_of_schedule_is_judged_by_the_new_one() -> None:
    """What is remembered is when, not which slot: a table made tighter is due as soon as it is older than it may be."""
    assert not judge_due(TargetLag(DAY), NOW, NOW + HOUR).due
    assert judge_due(TargetLag(10 * MINUTE), NOW, NOW + HOUR).due


def test_together_is_due_with_its_members() -> None:
    """At the slots of each."""
    schedule = combine((TargetLag(HOUR), Cron("7 * * * *", "UTC")))

    assert judge_due(schedule, NOW + 6 * MINUTE, NOW + 7 * MINUTE).due
    assert not judge_due(schedule, NOW + 7 * MINUTE, NOW + 8 * MINUTE).due
