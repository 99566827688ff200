"""Bugs planted on purpose: wrong rules that a tired engineer could have written. The laws must find every one.

A bug the laws miss is a hole in the generators. `plant` changes one function of the engine for the length of a test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.oracle.generate_plans import Example

Plant = Callable[[pytest.MonkeyPatch], None]
Law = Callable[[Example], None]


@dataclass(frozen=True)
class Bug:
    """A planted bug and the law that must find it."""

    plant: Plant
    law: Law


BUGS: dict[str, Bug] = {}


def found_by(law: Law) -> Callable[[Plant], Plant]:
    """Register a bug under its function's name."""

    def register(plant: Plant) -> Plant:
        BUGS[plant.__name__] = Bug(plant, law)
        return plant

    return register
