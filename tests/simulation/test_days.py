"""Days of a scheduler that is late, early, absent or doubled, over sources that change all the time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.simulation.dag import MODELS, STREAMS
from tests.simulation.run import GRAPH, Outcome, Shop, flat
from trickle.schedule.ticks import ScheduledTable
from trickle.schedule.ticks import ticks as ticks_for

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
START = 1_767_225_600_000
"""2026-01-01 00:00 UTC in milliseconds."""


def ticks(random: Random, days: int, every: int) -> Iterator[int]:
    """Starts of runs: seconds early or late, sometimes left out, sometimes twice."""
    for tick in range(START, START + days * DAY, every):
        if random.random() < 0.02:
            continue
        started = tick + random.randint(-2_000, 40_000)
        yield started
        if random.random() < 0.03:
            yield started + random.randint(1, 1_500)


def assert_exact(shop: Shop, outcome: Outcome) -> None:
    """Every table equals its query at the vector in its response and in its stamp."""
    for model in STREAMS:
        if model.name not in shop.last:
            continue
        rows, stamp = shop.stored(model.name), shop.lake.stamp(model.name)
        if "mixed" not in stamp.extra:
            recorded = {name.removeprefix("s."): position[1] for name, position in stamp.extra["vector"].items()}
            assert rows == flat(shop, model.name, recorded), f"{model.name} is not its query at {recorded}"
        decision = outcome.refreshed.get(model.name)
        if decision is not None and not decision.reading.mixed:
            assert rows == flat(shop, model.name, shop.vectors[model.name]), f"{model.name} at {outcome.tick}"


def assert_one_vector(shop: Shop, outcome: Outcome) -> None:
    """Everything that was refreshed reflects the same version of every base table, without any excuse.

    The table that dbt makes anew is a base table; unless its reader says that it may differ, it fits the others too.
    """
    together: dict[str, set[int]] = {}
    for name, decision in outcome.refreshed.items():
        assert decision.reading.notes == (), f"{name}: {decision.reading.notes}"
        if "made" in shop.lake.versions(decision) and not decision.plan.notes:
            bases = {**shop.vectors["levels"], **shop.vectors[name]}
            del bases["made"]
            made = shop.rows_at("made", shop.vectors[name]["made"])
            assert made == flat(shop, "made", bases), f"made does not fit {name}"
        for base, version in shop.vectors[name].items():
            together.setdefault(base, set()).add(version)
    assert all(len(versions) == 1 for versions in together.values()), together


def in_its_time(table: str, tick: int, age: int) -> bool:
    """Whether rows were within the table's target up to the moment at which others took their place."""
    target = GRAPH.schedule(table).target(tick)
    assert target is not None, f"{table} has no schedule"
    return age < target


def suggested() -> int:
    """The time between the ticks that `dbt-trickle cron` prints for the twelve models."""
    gap = ticks_for([ScheduledTable(model.name, GRAPH.schedule(model.name)) for model in STREAMS], START).gap
    assert gap is not None
    return gap


def drive(folder: Path, seed: int, threads: int, days: int, every: int, partly: float) -> tuple[Shop, list[bool]]:
    """Some days; answers for every refresh whether it came within its table's target."""
    random = Random(seed)
    shop = Shop(folder, random, threads)
    in_time: list[bool] = []
    free = 0
    for tick in ticks(random, days, every):
        if tick < free:
            # The run before is still going on.
            continue
        while random.random() < 0.4:
            shop.write()
        selected = None
        if random.random() < partly:
            selected = frozenset(random.sample([model.name for model in MODELS], random.randint(1, len(MODELS))))
        outcome = shop.run(tick, selected, failing=0.005)
        assert_exact(shop, outcome)
        if selected is None:
            assert_one_vector(shop, outcome)
        free = outcome.ended
        in_time += [in_its_time(name, tick, age) for name, age in outcome.ages.items()]
    return shop, in_time


@pytest.mark.parametrize(
    ("seed", "threads", "days"),
    [
        (1, 1, 1),
        (2, 2, 1),
        (3, 4, 1),
        *(pytest.param(seed, seed % 4 + 1, 3, marks=pytest.mark.night) for seed in range(4, 8)),
    ],
)
def test_days_of_ticks(tmp_path: Path, seed: int, threads: int, days: int) -> None:
    """Always exact, always one vector, and 95 of 100 refreshes within their target, run times counted in."""
    shop, in_time = drive(tmp_path, seed, threads, days, suggested(), partly=0.0)

    assert len(in_time) > 350 * days
    assert sum(in_time) / len(in_time) >= 0.95
    assert {model.name for model in STREAMS} == set(shop.last)


@pytest.mark.parametrize(("seed", "days"), [(8, 1), pytest.param(9, 3, marks=pytest.mark.night)])
def test_people_who_select(tmp_path: Path, seed: int, days: int) -> None:
    """With parts of the graph left out at random nothing is inexact and nothing is lost: the next whole run fits."""
    shop, _ = drive(tmp_path, seed, 2, days, suggested(), partly=0.4)

    outcome = shop.run(START + (days + 1) * DAY)
    assert_exact(shop, outcome)
    assert_one_vector(shop, outcome)
    assert set(outcome.refreshed) == {model.name for model in STREAMS}


@pytest.mark.night
def test_three_days_at_five_minutes(tmp_path: Path) -> None:
    """More ticks than slots: most of them find nothing due."""
    _, in_time = drive(tmp_path, 10, 4, 3, 5 * MINUTE, partly=0.1)

    assert sum(in_time) / len(in_time) >= 0.95
