"""Bugs planted on purpose: wrong rules that a tired engineer could have written. The tests must find every one.

A bug the laws miss is a hole in the generators, and one that the tests of chosen examples miss is a test that is not
there. `plant` changes functions of the project for the length of a test.
"""

from __future__ import annotations
import __future__

import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis.strategies import SearchStrategy

from tests.oracle.generate_plans import examples

EXAMPLES = 2000

Plant = Callable[[pytest.MonkeyPatch], None]
Law = Callable[[Any], None]
Check = Callable[[Path], None]
"""A test of chosen examples, given an empty folder."""


@dataclass(frozen=True)
class Bug:
    """A planted bug and the law that must find it."""

    plant: Plant
    law: Law
    drawn: SearchStrategy[Any]
    within: int
    """Examples that must suffice: no more than the law is tried on every day."""


BUGS: dict[str, Bug] = {}


def found_by(law: Law, within: int = EXAMPLES, drawn: SearchStrategy[Any] | None = None) -> Callable[[Plant], Plant]:
    """Register a bug under its function's name."""

    def register(plant: Plant) -> Plant:
        BUGS[plant.__name__] = Bug(plant, law, examples() if drawn is None else drawn, within)
        return plant

    return register


@dataclass(frozen=True)
class Slip:
    """A planted bug and the tests of chosen examples of which each must find it."""

    plant: Plant
    checks: tuple[Check, ...]


SLIPS: dict[str, Slip] = {}


def shown_by(*checks: Check) -> Callable[[Plant], Plant]:
    """Register a bug under its function's name. Its tests are short enough for every day."""

    def register(plant: Plant) -> Plant:
        SLIPS[plant.__name__] = Slip(plant, checks)
        return plant

    return register


def check(test: Callable[..., None], **fixtures: Callable[[Path], Any]) -> Check:
    """A test as it is written: each case of its parameters, with fixtures made in a folder of the case's own."""

    def run(folder: Path) -> None:
        for number, case in enumerate(cases(test)):
            own = folder / str(number)
            own.mkdir()
            test(**case, **{name: make(own) for name, make in fixtures.items()})

    return run


def cases(test: Callable[..., None]) -> Iterator[dict[str, Any]]:
    """The test's parameters, case by case."""
    marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    for values in product(*(mark.args[1] for mark in marks)):
        case: dict[str, Any] = {}
        for mark, value in zip(marks, values):
            names = [mark.args[0]] if isinstance(mark.args[0], str) else list(mark.args[0])
            case.update(zip(names, (value,) if isinstance(mark.args[0], str) else value))
        yield case


def reword(patch: pytest.MonkeyPatch, owner: Any, name: str, right: str, wrong: str, **names: object) -> None:
    """Give a function or method another text, in which one part is wrong. Whoever imported it by name has it, too."""
    function = inspect.unwrap(inspect.getattr_static(owner, name))
    plain = getattr(function, "fget", None) or getattr(function, "__func__", function)
    source = dedent(inspect.getsource(plain))
    if source.count(right) != 1:
        raise ValueError(f"{name} does not hold {right!r} once: reword the planted bug as well")
    code = compile(source.replace(right, wrong), f"<{name}, planted>", "exec", __future__.annotations.compiler_flag)
    scope = {**plain.__globals__, **names}
    # Our own source, with the planted mistake in it.
    exec(code, scope)
    for place in (owner, *[module for module in sys.modules.values() if vars(module).get(name) is function]):
        patch.setattr(place, name, scope[name])
