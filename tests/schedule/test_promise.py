"""A target lag is kept under the ticks that are suggested for it: every duration, with run times, jitter and gaps."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw

from tests.schedule.clockwork import greatest_age, refreshes, starts
from tests.schedule.instants import at
from trickle.schedule.cron import first_after
from trickle.schedule.duration import DAY, HOUR, MINUTE, SECOND
from trickle.schedule.promise import ASSUMED, ENDING, RunTimes, is_met, oldest, smallest_met
from trickle.schedule.target_lag import TargetLag
from trickle.schedule.ticks import EVEN_STEPS, ScheduledTable, ticks

NOW = at("2026-11-19 12:00")
GAPS = [minutes * MINUTE for minutes in (1, 2, 5, 10, 15, 30, 60)]
GAP_OF = {text: gap for gap, text in EVEN_STEPS}


def age(
    target: TargetLag,
    gap: int,
    seed: int,
    longest: int = ASSUMED,
    others: int = 0,
    jitter: bool = True,
    rounds: int = 5,
) -> int:
    """How old rows become in some of the target's durations."""
    random = Random(seed)
    start = NOW + random.randrange(0, 200) * gap
    until = start + rounds * max(target.duration, gap, longest)
    return greatest_age(refreshes(target, starts(random, start, gap, jitter), until, random, longest, others))


def suggested(target: TargetLag, takes: int | None = None) -> int:
    """The gap between the ticks that `dbt-trickle cron` prints for a project of one table."""
    (tick,) = ticks([ScheduledTable("orders", target, takes)], NOW).expressions
    return GAP_OF[tick]


@pytest.mark.parametrize("minutes", range(2, 241))
def test_every_target_is_kept_under_the_suggested_ticks(minutes: int) -> None:
    """From two minutes to four hours, with jitter and with runs of half a minute; one minute no cron can keep."""
    target = TargetLag(minutes * MINUTE)
    gap = suggested(target)

    assert age(target, gap, seed=minutes, rounds=30) < target.duration
    assert age(target, gap, seed=minutes, jitter=False, rounds=30) < target.duration


@pytest.mark.parametrize("minutes", range(1, 241))
def test_every_target_is_kept_with_runs_of_any_length_or_is_refused(minutes: int) -> None:
    """A quarter of the target, and more, up to half: what the rule calls kept is kept, under the ticks it suggests."""
    target = TargetLag(minutes * MINUTE)
    for part in (8, 4, 3, 2):
        takes = target.duration // part
        gap = suggested(target, takes)
        if is_met(target, gap, RunTimes(takes, takes + ENDING)):
            assert age(target, gap, seed=minutes, longest=takes, rounds=15) < target.duration
        else:
            assert ticks([ScheduledTable("orders", target, takes)], NOW).missed_targets, (
                f"{minutes}m with runs of {takes} ms"
            )


def test_a_quarter_of_the_target_is_there_for_the_run() -> None:
    """Whatever the target from five minutes on, nobody needs to have measured a run that takes no longer."""
    for minutes in (*range(5, 240), *range(240, 24 * 60, 7)):
        target = TargetLag(minutes * MINUTE)
        quarter = target.duration // 4 - 20 * SECOND
        assert is_met(target, suggested(target), RunTimes(quarter, quarter + ENDING)), minutes


@settings(max_examples=300, deadline=None)
@given(
    draw.sampled_from((*range(1, 240), *range(240, 1441, 60))),
    draw.sampled_from(GAPS),
    draw.integers(0, 40 * MINUTE),
    draw.integers(0, 10 * MINUTE),
    draw.integers(0, 10_000),
)
def test_rows_are_never_older_than_the_rule_says(minutes: int, gap: int, longest: int, others: int, seed: int) -> None:
    """Under any ticks, with runs of any length that leave ticks out: the rule is an upper bound."""
    target = TargetLag(minutes * MINUTE)
    runs = RunTimes(longest, longest + ENDING, others)

    assert age(target, gap, seed, longest, others) <= oldest(target, gap, runs)


@settings(max_examples=200, deadline=None)
@given(draw.integers(1, 240), draw.sampled_from(GAPS), draw.integers(0, 10_000))
def test_a_target_is_kept_under_coarser_ticks_where_the_rule_says_so(minutes: int, gap: int, seed: int) -> None:
    """And at least half of it may be waited for and run."""
    target = TargetLag(minutes * MINUTE)

    assert target.period * 2 <= target.duration
    if is_met(target, gap, RunTimes()):
        assert age(target, gap, seed) < target.duration


def test_ticks_of_a_project_meet_all_its_targets() -> None:
    """Tables of every target together, each with its own run time."""
    random = Random(7)
    for _ in range(40):
        tables = [
            ScheduledTable(f"t{place}", TargetLag(random.randint(5, 600) * MINUTE), random.randint(1, 60) * SECOND)
            for place in range(random.randint(1, 5))
        ]
        told = ticks(tables, NOW)
        assert told.gap is not None
        for table in tables:
            assert isinstance(table.schedule, TargetLag)
            if table.name in {one.table.name for one in told.missed_targets}:
                continue
            longest = max(one.takes or 0 for one in tables)
            found = age(table.schedule, told.gap, seed=random.randrange(1000), longest=table.takes or 0, others=longest)
            assert found < table.schedule.duration


def test_what_no_tick_keeps_is_named_with_the_smallest_that_is_kept() -> None:
    """A minute under a scheduler of minutes; a target shorter than the run; GitHub's five minutes."""
    (minute,) = ticks([ScheduledTable("orders", TargetLag(MINUTE))], NOW).missed_targets
    (slow,) = ticks([ScheduledTable("orders", TargetLag(10 * MINUTE), 7 * MINUTE)], NOW).missed_targets
    (github,) = ticks([ScheduledTable("orders", TargetLag(5 * MINUTE))], NOW, finest=5 * MINUTE).missed_targets

    assert [str(one.smallest) for one in (minute, slow, github)] == [
        "target lag 2m", "target lag 16m", "target lag 9m",
    ]  # fmt: skip
    assert not ticks([ScheduledTable("orders", TargetLag(2 * MINUTE))], NOW).missed_targets
    assert not is_met(TargetLag(15 * MINUTE), MINUTE, RunTimes(7 * MINUTE, 7 * MINUTE + ENDING))


def test_a_long_run_between_the_slots_is_counted_with() -> None:
    """A table without a schedule is refreshed at every tick, and keeps the others waiting while it is."""
    lag = ScheduledTable("orders", TargetLag(30 * MINUTE), MINUTE)
    slow = ScheduledTable("report", TargetLag(6 * HOUR), 12 * MINUTE)
    nightly = ScheduledTable("nightly", TargetLag(6 * HOUR), 40 * MINUTE)

    assert smallest_met(MINUTE, RunTimes()) == TargetLag(2 * MINUTE)
    assert not ticks([lag, slow], NOW).missed_targets
    assert [one.table.name for one in ticks([lag, nightly], NOW).missed_targets] == ["orders"]


@pytest.mark.parametrize("gap", [gap for gap, _ in EVEN_STEPS])
def test_steps_are_as_long_as_they_say(gap: int) -> None:
    """No two ticks of an expression are further apart, at midnight neither."""
    text = next(text for one, text in EVEN_STEPS if one == gap)
    slot = first_after(text, "UTC", NOW)
    for _ in range(50):
        assert slot is not None
        following = first_after(text, "UTC", slot)
        assert following is not None and following - slot <= gap
        slot = following
    assert max(gap, DAY) == DAY
