"""Bugs planted on purpose: wrong rules that a tired engineer could have written. The laws must find every one.

A bug the laws miss is a hole in the generators. `plant` changes one function of the engine for the length of a test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis.strategies import SearchStrategy

from tests.oracle.generate_plans import examples

EXAMPLES = 2000

Plant = Callable[[pytest.MonkeyPatch], None]
Law = Callable[[Any], None]


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
