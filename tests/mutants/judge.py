"""What must kill a mutant: the laws over a fixed set of drawn examples, and the snapshots. All in this process."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from tests.laws import on_storage, statements
from tests.oracle.generate_plans import (
    Example,
    appended_examples,
    examples,
    joined_examples,
    stored_examples,
    windowed_examples,
)
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
OPERATORS = Path(__file__).parents[1] / "operators"


def _unit_tests() -> tuple[Callable[[], None], ...]:
    """The tests of operators and of what is read, as far as they need nothing from pytest."""
    names = [f"tests.operators.{file.stem}" for file in sorted(OPERATORS.glob("test_*.py"))]
    modules = [importlib.import_module(name) for name in (*names, "tests.duck.test_reads", "tests.duck.test_sinking")]
    every = [value for module in modules for name, value in vars(module).items() if name.startswith("test_")]
    return tuple(one for one in every if inspect.isfunction(one) and not inspect.signature(one).parameters)


UNIT_TESTS = _unit_tests()
FIRST = 10
"""Examples that most mutants do not survive: cheaper than printing every snapshot."""


@dataclass(frozen=True)
class Judge:
    """Everything is drawn once: each mutant meets the same examples."""

    drawn: tuple[Example, ...]
    stored: tuple[Example, ...]

    def kills(self) -> str | None:
        """What finds the mutant that is in place now; None when nothing does."""
        for example in self.drawn[:FIRST]:
            for law in INTERPRETED:
                if _fails(lambda: law(example)):  # noqa: B023 - called at once
                    return law.__name__
        for test in UNIT_TESTS:
            if _fails(test):
                return f"{test.__module__}.{test.__name__}"
        for name, snapshot in SNAPSHOTS.items():
            if _fails(lambda: _same_text(snapshot)):  # noqa: B023 - called at once
                return f"snapshot {name}"
        for example in self.drawn[FIRST:]:
            for law in INTERPRETED:
                if _fails(lambda: law(example)):  # noqa: B023 - called at once
                    return law.__name__
        for example in self.stored:
            if _fails(lambda: on_storage.every_strategy_is_exact(example)):  # noqa: B023 - called at once
                return "every_strategy_is_exact"
        return None


def judge(count: int) -> Judge:
    """With `count` examples of any plan, and a share of each special kind."""
    drawn = [
        *_draw(examples(), count),
        *_draw(joined_examples(), count),
        *_draw(windowed_examples(), count // 4),
        *_draw(appended_examples(), count // 4),
    ]
    return Judge(tuple(drawn), tuple(_draw(stored_examples(), count // 8)))


def _draw(strategy: SearchStrategy[Any], count: int) -> list[Any]:
    found: list[Any] = []

    @settings(
        max_examples=count,
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
