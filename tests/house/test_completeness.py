"""A new operator is not done without its page, its cases, its own test and its place in the laws."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import Phase, given, settings

from tests.oracle.generate_plans import Example, examples, recursive_examples, stored_examples
from tests.oracle.storage import view_of
from trickle.apply.replace_groups import recomputed_groups
from trickle.apply.state_changes import changes_of_state
from trickle.delta.differentiate import differentiate
from trickle.layouts.groups import Groups
from trickle.operators import AnyOp, Consolidate
from trickle.plan.op import Op, walk

ROOT = Path(__file__).parents[2]
OPERATORS = get_args(AnyOp)

WITHOUT_CASES = {
    "Accumulate": "only refreshes contain it: tests/cases/apply",
    "Consolidate": "only refreshes contain it: tests/cases/apply",
    "Empty": "no SQL text makes one",
    "Feed": "the change of a scan: every case reads one",
    "Lookup": "only refreshes contain it: tests/cases/apply",
    "ClockDelta": "only deltas contain it: tests/cases/time",
    "Negate": "only deltas contain it",
    "Recompute": "the cases of every construct that is recomputed",
    "Restrict": "only deltas contain it",
    "Scan": "every case reads one",
    "StoredRecursion": "only refreshes contain it: every case in tests/cases/recursion reads it",
    "Stored": "only refreshes contain it: tests/cases/apply",
    "Working": "only recursions contain it: tests/cases/recursion",
    "TouchedKeys": "only deltas contain it",
    "Within": "only refreshes contain it; on DuckDB and Spark every case with a join reads by it",
    "Values": "its cases are those of what it is joined with: tests/cases/join/values.case",
}

NOT_DRAWN = {
    "Recompute": "a leaf of its own beside every incremental plan",
    "Stored": "the overwrite and recompute statements read it: tests/laws/test_apply.py runs them",
}


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def file_of(operator: type[Op]) -> str:
    """The file an operator lives in: scan.py holds both ways of reading a source."""
    return operator.__module__.rpartition(".")[2]


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda one: one.__name__)
def test_every_operator_has_its_page_and_its_own_test(operator: type[Op]) -> None:
    """docs/operators and tests/operators mirror engine/trickle/operators file for file."""
    name = file_of(operator)

    assert (ROOT / "docs" / "operators" / f"{name}.md").is_file()
    assert (ROOT / "tests" / "operators" / f"test_{name}.py").is_file()


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda one: one.__name__)
def test_every_operator_has_cases(operator: type[Op]) -> None:
    """A folder of cases, or a sentence saying why SQL text cannot name it."""
    folder = ROOT / "tests" / "cases" / snake(operator.__name__)

    assert (operator.__name__ in WITHOUT_CASES) != any(folder.glob("*.case")), folder


def test_every_operator_is_met_by_the_laws() -> None:
    """The plans the laws draw, with their deltas and refreshes, contain every operator but those with a reason."""
    seen: set[str] = set()

    @settings(max_examples=400, phases=[Phase.generate], derandomize=True, database=None)
    @given(stored_examples(), examples(), recursive_examples())
    def draw(stored: Example, plain: Example, recursive: Example) -> None:
        for op in (*plans_of(stored), plain.plan, delta_of(plain), *plans_of(recursive)):
            seen.update(type(node).__name__ for node in walk(op))

    draw()

    assert {one.__name__ for one in OPERATORS} - seen == set(NOT_DRAWN)


def delta_of(example: Example) -> Op:
    return differentiate(example.plan, example.world.changed, example.world.changed_calls).delta


def plans_of(example: Example) -> list[Op]:
    """The plan, its delta, and what the strategies make of it."""
    view = view_of(example.plan)
    change = view.change(example.world)
    found = [example.plan, delta_of(example), Consolidate(change.delta)]
    if isinstance(view.layout, Groups):
        found.append(recomputed_groups(change, view.layout))
        if view.layout.algebraic:
            found.append(changes_of_state(change.delta, view.layout))
    return found


def test_every_operator_file_says_its_rule() -> None:
    """The docstring of an operator is where its meaning stands."""
    generated = {one.__name__ for one in OPERATORS if (one.__doc__ or "").startswith(f"{one.__name__}(")}

    assert not generated | {one.__name__ for one in OPERATORS if not one.__doc__}
