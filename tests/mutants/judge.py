"""What must kill a mutant: the laws over a fixed set of drawn examples, and the snapshots. All in this process."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from tests.laws import on_storage, statements
from tests.oracle.generate_orders import extended_examples, neighbour_examples, ordered_examples, windowed_examples
from tests.oracle.generate_plans import (
    Example,
    appended_examples,
    bounded_examples,
    chained_examples,
    emptied_examples,
    examples,
    joined_examples,
    padded_examples,
    recursive_examples,
    stored_examples,
)
from tests.planted.planting import cases
from tests.snapshots.catalogue import SNAPSHOTS

INTERPRETED = (
    statements.delta_is_the_difference,
    statements.before_and_after_are_the_plan_at_its_moments,
    statements.simplify_keeps_bag_and_schema,
    statements.pushing_keeps_bag_and_schema,
    statements.bounding_keeps_bag_and_schema,
    statements.rewrites_keep_bag_and_schema,
    statements.nothing_changed_is_empty,
    statements.nothing_empty_is_left_inside,
    statements.only_adds_never_removes,
)
TESTS = Path(__file__).parents[1]
FOLDERS = ("passes", "operators")
"""Tests of one pass or one operator each, fast enough to be run on every mutant."""
BESIDE = ("tests.duck.test_reads", "tests.duck.test_sinking", "tests.laws.test_found")
"""Tests of what a whole refresh reads."""

Check = Callable[[], None]


@dataclass(frozen=True)
class UnitTest:
    """A test with all cases of its parameters."""

    test: Callable[..., None]
    cases: tuple[dict[str, Any], ...]

    @property
    def file(self) -> str:
        return self.test.__module__.rpartition(".")[2]

    def __call__(self) -> None:
        for case in self.cases:
            self.test(**case)


def _unit_tests() -> tuple[UnitTest, ...]:
    """These tests as far as they need nothing from pytest but their parameters."""
    files = [file for folder in FOLDERS for file in sorted((TESTS / folder).glob("test_*.py"))]
    names = [f"tests.{file.parent.name}.{file.stem}" for file in files]
    modules = [importlib.import_module(name) for name in (*names, *BESIDE)]
    every = [value for module in modules for name, value in vars(module).items() if name.startswith("test_")]
    tests = [UnitTest(one, tuple(cases(one))) for one in every if inspect.isfunction(one)]
    return tuple(one for one in tests if all(set(case) == _parameters(one) for case in one.cases))


def _parameters(test: UnitTest) -> set[str]:
    return set(inspect.signature(test.test).parameters)


UNIT_TESTS = _unit_tests()
FIRST = 10
"""Examples that most mutants do not survive: cheaper than printing every snapshot."""


@dataclass(frozen=True)
class Judge:
    """Everything is drawn once: each mutant meets the same examples."""

    drawn: tuple[Example, ...]
    stored: tuple[Example, ...]

    def kills(self, file: str) -> str | None:
        """What finds the mutant of a file that is in place now; None when nothing does.

        The cheapest and likeliest first: the file's own tests, those of the others, examples, snapshots.
        """
        for name, check in self._checks(file):
            if _fails(check):
                return name
        return None

    def _checks(self, file: str) -> Iterator[tuple[str, Check]]:
        own = f"test_{file}"
        tests = sorted(UNIT_TESTS, key=lambda one: one.file != own)
        yield from ((f"{one.test.__module__}.{one.test.__name__}", one) for one in tests)
        yield from _laws(self.drawn[:FIRST])
        yield from ((f"snapshot {name}", partial(_same_text, one)) for name, one in SNAPSHOTS.items())
        yield from _laws(self.drawn[FIRST:])
        for example in self.stored:
            yield "every_strategy_is_exact", partial(on_storage.every_strategy_is_exact, example)


def _laws(examples: Iterable[Example]) -> Iterator[tuple[str, Check]]:
    return ((law.__name__, partial(law, example)) for example in examples for law in INTERPRETED)


def judge(count: int) -> Judge:
    """With `count` examples of any plan, and a share of each special kind."""
    drawn = [
        *_draw(examples(), count),
        *_draw(joined_examples(), count),
        *_draw(windowed_examples(), count // 4),
        *_draw(appended_examples(), count // 4),
        *_draw(bounded_examples(), count // 4),
        *_draw(emptied_examples(), count // 4),
        *_draw(chained_examples(), count // 4),
        *_draw(padded_examples(), count // 4),
        *_draw(recursive_examples(), count // 4),
    ]
    kinds = (stored_examples(), ordered_examples(), neighbour_examples(), extended_examples(), recursive_examples())
    return Judge(tuple(drawn), tuple(one for kind in kinds for one in _draw(kind, count // 8)))


def _draw(strategy: SearchStrategy[Any], count: int) -> list[Any]:
    found: list[Any] = []

    @settings(
        max_examples=max(1, count),
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(example: Any) -> None:
        found.append(example)

    draw()
    return found


def _same_text(snapshot: Any) -> None:
    assert snapshot.text() == snapshot.file.read_text("utf-8")


def _fails(check: Callable[[], None]) -> bool:
    try:
        check()
    except Exception:
        return True
    return False
