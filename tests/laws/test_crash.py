"""Law: a crash anywhere loses nothing. The last stamp is the truth, and what is run again is the same thing.

An accumulating MERGE is not idempotent by itself: Delta refuses its second commit by the number in the stamp. What
makes that right is tested here without Spark; the commits themselves are tests/spark's.
"""

from __future__ import annotations

from tests.laws.examples import ON_DUCKDB, for_all
from tests.laws.statements import same
from tests.oracle.compiled import compiled
from tests.oracle.duck import load
from tests.oracle.generate_data import World
from tests.oracle.generate_plans import Example, stored_examples
from tests.oracle.generate_queries import Model, models
from tests.oracle.storage import begin, fill, right_strategies, run, state, stopped, view_of
from trickle import (
    Action,
    CompiledView,
    Happened,
    Probe,
    RefreshPlan,
    Request,
    SourcePosition,
    Stamp,
    Target,
    plan_refresh,
)
from trickle.catalog.change_sources import FeedRange
from trickle.catalog.changed_rows import Changes
from trickle.catalog.frontier import parse_stamp
from trickle.catalog.happened import Appended, Changed, First, Unchanged

CONTRACT = {"time_zone": "UTC", "ansi": "true"}
MISSING = Target(("shop", "view"), ("shop", "view__trickle"))
TARGET = Target(("shop", "view"), ("shop", "view__trickle"), rows=10, exists=True)


def probes(world: World, stamp: Stamp | None, version: int) -> dict[str, Probe]:
    """What the logs say between a stamp and a version; tables that stand still have no newer version."""
    found = {}
    for one in world.tables:
        before = stamp.frontier.position(one.name) if stamp is not None else None
        moved = one.changed and (before is None or before.version < version)
        now = SourcePosition(one.name, version, version * 1000) if moved or before is None else before
        found[one.name] = Probe(one.name, now, happened(one.only_inserts, before, now))
    return found


def happened(only_inserts: bool, before: SourcePosition | None, now: SourcePosition) -> Happened:
    """What lies between two positions of a table with a change feed."""
    if before is None:
        return First()
    if now == before:
        return Unchanged()
    changes = Changes(before, FeedRange(before.version + 1, now.version))
    return Appended(changes) if only_inserts else Changed(changes)


def planned(view: CompiledView, world: World, stamp: Stamp | None, version: int, now: int = 5000) -> RefreshPlan:
    """The plan of a refresh, for the sources the view reads."""
    names = {source.name for source in view.sources}
    seen = {name: probe for name, probe in probes(world, stamp, version).items() if name in names}
    return plan_refresh(
        view, TARGET if stamp is not None else MISSING, stamp, seen, Request("model.view", now, CONTRACT)
    )


@for_all(models(), cost=ON_DUCKDB)
def test_a_refresh_that_crashed_before_its_commit_is_run_again_as_it_was(model: Model) -> None:
    """The same stamp and the same logs give the same bytes and the same transaction number."""
    view = compiled(model.text, model.world)
    first = planned(view, model.world, None, 1).stamp
    assert first is not None
    again = [planned(compiled(model.text, model.world), model.world, first, 2) for _ in range(2)]

    assert again[0] == again[1]
    assert again[0].stamp is None or again[0].stamp.refresh == first.refresh + 1


@for_all(models(), cost=ON_DUCKDB)
def test_a_refresh_that_crashed_after_its_commit_has_nothing_left_to_do(model: Model) -> None:
    """The commit carries its frontier: planning again from it finds no change and writes nothing.

    It may be later by then, unless the query asks what time it is.
    """
    view = compiled(model.text, model.world)
    later = 5000 if view.clock_calls else 9000
    stamp = planned(view, model.world, None, 1).stamp
    for version in (2, 3):
        assert stamp is not None
        stamp = planned(view, model.world, stamp, version).stamp or stamp
        after = planned(view, model.world, parse_stamp(stamp.to_json()), version, now=later)

        assert after.action is Action.NO_DATA
        assert not after.steps


@for_all(models(), cost=ON_DUCKDB)
def test_a_stamp_reads_back_as_it_was_written(model: Model) -> None:
    """What a commit says of itself survives its text."""
    stamp = planned(compiled(model.text, model.world), model.world, None, 1).stamp

    assert stamp is not None
    assert parse_stamp(stamp.to_json()) == stamp


@for_all(stored_examples(), cost=2 * ON_DUCKDB)
def test_groups_recomputed_twice_are_groups_recomputed(example: Example) -> None:
    """Replacing groups is harmless when run again: it writes what the sources say, whatever is stored."""
    binding = load(example.world)
    view = view_of(example.plan)
    fill(view, stopped(binding), "before")
    for strategy in right_strategies(view, example.world, binding):
        if strategy.name != "replace_groups":
            continue
        begin(view, "before")
        run(strategy.build())
        once = state(view, "storage")
        run(strategy.build())

        same(state(view, "storage"), once, "replace_groups run a second time")
